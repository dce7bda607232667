import { type SessionEvent, type SessionId, TOOL_INTERRUPTED } from '@dsh/session'
import type { ImportOrigin } from './events.js'
import type { TranscriptFormat } from './format.js'
import { field, textField } from './json-value.js'
import type { SessionRole } from './readers/reader.js'
import type { DamagedRecord } from './source/record.js'

/** What became of the records of one kind. The rest of them went into events as a whole. */
export interface KindReport {
  readonly records: number
  /** How many were kept whole, as an `import/record`. */
  readonly kept: number
  /** How many left some fields, which were kept as an `import/record`. */
  readonly partly: number
}

/** What one session holds. */
export interface SessionReport {
  readonly id: SessionId
  readonly role: SessionRole
  readonly parent?: SessionId
  readonly events: number
  /** How many of the events it shares with the session that it branches off. */
  readonly inherited: number
  /** How many events of each type it has. */
  readonly types: Readonly<Record<string, number>>
  /** How many turns ended for which reason. */
  readonly endings: Readonly<Record<string, number>>
  /** Tool calls that the transcript does not answer; they got an error. */
  readonly unansweredCalls: number
  /** Notes by what they are about. */
  readonly notes: Readonly<Record<string, number>>
}

/** Bytes that could not be read. */
export interface DamageReport {
  readonly origin: ImportOrigin
  readonly reason: string
  readonly bytes: number
}

/** What was done with one record. */
export interface Reading {
  /** What the source calls records like it. */
  readonly kind: string
  /** Whether it was kept whole. */
  readonly isKept: boolean
  /** Whether some of its fields were kept. */
  readonly isPartly: boolean
}

/** What an import found and where it went. */
export interface ImportReport {
  /** Absent when the source was empty. */
  readonly format?: TranscriptFormat
  /** Records read, damaged ones not counted. */
  readonly records: number
  readonly blankLines: number
  /** The records by what the source calls them. */
  readonly kinds: Readonly<Record<string, KindReport>>
  /** How many stretches of bytes could not be read. */
  readonly damaged: number
  /** The first 100 of them. */
  readonly damage: readonly DamageReport[]
  readonly sessions: readonly SessionReport[]
}

/** How many damaged places a report names. */
const NAMED_DAMAGE = 100

/** Counts the events of a session as they are written. */
export class SessionTally {
  readonly #types = new Map<string, number>()
  readonly #endings = new Map<string, number>()
  readonly #notes = new Map<string, number>()
  #events = 0
  #unansweredCalls = 0

  add(event: SessionEvent): void {
    this.#events++
    count(this.#types, event.type)
    if (event.type === 'turn/end') count(this.#endings, textField(field(event.data, 'reason'), 'kind') ?? 'unknown')
    if (event.type === 'import/note') count(this.#notes, event.data.about)
    if (event.type === 'tool/result' && event.data.error?.name === TOOL_INTERRUPTED) this.#unansweredCalls++
  }

  report(session: Pick<SessionReport, 'id' | 'role' | 'parent' | 'inherited'>): SessionReport {
    return {
      ...session,
      events: this.#events,
      types: sorted(this.#types),
      endings: sorted(this.#endings),
      unansweredCalls: this.#unansweredCalls,
      notes: sorted(this.#notes),
    }
  }
}

/** Counts what an import reads. */
export class ImportTally {
  readonly #kinds = new Map<string, { records: number; kept: number; partly: number }>()
  readonly #damage: DamageReport[] = []
  format: TranscriptFormat | undefined
  #records = 0
  #damaged = 0

  record({ kind, isKept, isPartly }: Reading): void {
    this.#records++
    const counts = this.#kinds.get(kind) ?? { records: 0, kept: 0, partly: 0 }
    this.#kinds.set(kind, counts)
    counts.records++
    if (isKept) counts.kept++
    if (isPartly) counts.partly++
  }

  damage({ position, damage: { reason, bytes } }: DamagedRecord): void {
    this.#damaged++
    if (this.#damage.length >= NAMED_DAMAGE) return
    this.#damage.push({ origin: { format: this.format ?? 'unknown', ...position }, reason, bytes })
  }

  report(facts: Pick<ImportReport, 'format' | 'blankLines' | 'sessions'>): ImportReport {
    return {
      ...facts,
      records: this.#records,
      kinds: sorted(this.#kinds),
      damaged: this.#damaged,
      damage: this.#damage,
    }
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function sorted<T>(counts: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
