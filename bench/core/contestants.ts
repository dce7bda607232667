import type { Append } from '../workload/turns.ts'

/** What the benchmarks need of a session; both projects' have it. */
export interface AnySession {
  append(type: string, data: unknown, intent?: unknown): unknown
  readonly events: readonly unknown[]
  readonly seq: number
  deriveMessages(): unknown[]
  slice?(from: number): unknown[]
}

/** How to make a session of one project. */
export interface Contestant {
  create(seed?: readonly unknown[]): AnySession
}

/** The published peer's session, or undefined where it is not installed. */
export async function loadPeer(): Promise<Contestant | undefined> {
  const module = await import('@deepseek-ai/dsh-session').catch(() => undefined)
  if (module === undefined) return undefined
  const Session = module.Session as unknown as new (id: string, seed?: readonly unknown[]) => AnySession
  return { create: seed => new Session('bench', seed) }
}

/** Ours. */
export async function loadOurs(): Promise<Contestant> {
  const module = await import('@dsh/session')
  const Session = module.Session as unknown as new (id: string, seed?: readonly unknown[]) => AnySession
  return { create: seed => new Session('bench', seed) }
}

/** Appends a list; the intent is passed only where there is one, as a caller would. */
export function appendAll(session: AnySession, appends: readonly Append[]): AnySession {
  for (const { type, data, intent } of appends) {
    if (intent === undefined) session.append(type, data)
    else session.append(type, data, intent)
  }
  return session
}

/** The floor of an append: a generic copy of the value, frozen on the way. */
export function copyAndFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(copyAndFreeze))
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(value)) out[key] = copyAndFreeze((value as Record<string, unknown>)[key])
  return Object.freeze(out)
}
