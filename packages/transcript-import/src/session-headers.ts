import { SESSION_FORMAT_VERSION, type SessionHeader, type SessionId, sessionId } from '@dsh/session'
import type { TranscriptFormat } from './format.js'
import type { ImportOptions, SessionOrigin } from './import-options.js'
import type { SessionPlan } from './readers/reader.js'

// A global of every runtime, declared here because the package is compiled without the types of Node or of the DOM.
declare const crypto: { randomUUID(): string }

const absolutePath = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/

/** Whether a path is one that a session's header takes. */
export function isAbsolutePath(path: string | undefined): path is string {
  return path !== undefined && absolutePath.test(path)
}

/** Gives the sessions of a file their ids and headers. */
export class SessionHeaders {
  readonly #format: TranscriptFormat
  readonly #options: ImportOptions
  readonly #ids: ReadonlyMap<string, SessionId>
  readonly #importedAt = Date.now()

  /** @param taken the ids that sessions of the same file have already; those of these are added */
  constructor(format: TranscriptFormat, plans: readonly SessionPlan[], options: ImportOptions, taken: Set<string>) {
    this.#format = format
    this.#options = options
    const live = plans[0]!
    const liveId = unique(
      this.#id(live, () => live.sourceId ?? crypto.randomUUID()),
      taken,
    )
    this.#ids = new Map(
      plans.map(plan => {
        if (plan === live) return [plan.key, liveId]
        const own = plan.role === 'subagent' ? plan.sourceId : undefined
        const id = this.#id(plan, () => own ?? `${liveId}/${plan.key}`)
        return [plan.key, unique(id, taken)]
      }),
    )
  }

  /** @param inherited how many events the session shares with the one that it branches off */
  of(plan: SessionPlan, inherited = plan.seedLength ?? 0): SessionHeader {
    const id = this.#ids.get(plan.key)!
    if (plan.header !== undefined) return { ...(plan.header as unknown as SessionHeader), id }
    const parentSession = this.#parent(plan)
    const { cwd, depth = 0 } = plan
    return {
      version: SESSION_FORMAT_VERSION,
      id,
      createdAt: plan.createdAt ?? plan.startTime ?? this.#options.time ?? this.#importedAt,
      ...(isAbsolutePath(cwd) && { cwd }),
      ...(parentSession !== undefined && parentSession !== id && { parentSession }),
      ...(inherited > 0 && { seedLength: inherited }),
      ...(depth > 0 && { delegationDepth: depth }),
    }
  }

  #parent({ fork, delegatedBy, parentId }: SessionPlan): SessionId | undefined {
    const here = fork?.from ?? delegatedBy
    if (here !== undefined) return this.#ids.get(here)
    if (parentId === undefined || parentId === '') return undefined
    const id = this.#options.sessionId?.({ format: this.#format, role: 'parent', sourceId: parentId, key: 'parent' })
    return sessionId(id ?? parentId)
  }

  #id({ role, key, sourceId }: SessionPlan, byDefault: () => string): string {
    const origin: SessionOrigin = { format: this.#format, role, key, ...(sourceId !== undefined && { sourceId }) }
    return this.#options.sessionId?.(origin) ?? byDefault()
  }
}

function unique(id: string, taken: Set<string>): SessionId {
  let free = id
  for (let count = 2; taken.has(free); count++) free = `${id}/${count}`
  taken.add(free)
  return sessionId(free)
}
