import type { SessionEvent, SessionHeader, SessionId } from '@dsh/session'
import type { TranscriptFormat } from './format.js'
import { type Boundary, LogWriter } from './log/log-writer.js'
import type { Fork, SessionPlan, SessionReader } from './readers/reader.js'
import { type Reading, type SessionReport, SessionTally } from './report.js'
import type { DamagedRecord, SourceRecord } from './source/record.js'

/** What a session shares with the one that it branches off. */
export interface Inheritance {
  readonly from: SessionRun
  /** Where the shared part ends; undefined when no turn is shared. */
  readonly boundary: Boundary | undefined
}

/** The second reading of a file, for one session. */
export class SessionRun {
  readonly plan: SessionPlan
  readonly header: SessionHeader
  readonly inheritance: Inheritance | undefined
  readonly #writer: LogWriter
  readonly #reader: SessionReader
  readonly #tally = new SessionTally()
  #isSharing: boolean

  /** @param time of what comes before anything that has a time */
  constructor(
    format: TranscriptFormat,
    plan: SessionPlan,
    header: SessionHeader,
    time: number,
    inheritance?: Inheritance,
  ) {
    this.plan = plan
    this.header = header
    this.inheritance = inheritance
    this.#writer = new LogWriter(format, time)
    this.#reader = plan.open(this.#writer)
    this.#isSharing = inheritance?.boundary !== undefined
  }

  get id(): SessionId {
    return this.header.id
  }

  /** The last turn that a branch shares with this session. */
  lastShared({ liveOnlyFrom, ownFrom }: Fork): Boundary | undefined {
    const end = Math.min(liveOnlyFrom, ownFrom)
    return this.#writer.boundaries.findLast(({ ordinal }) => ordinal < end)
  }

  /** Reads a record if it is one of the session's own; what the session inherits is read, but is not its own. */
  take(record: SourceRecord): Reading | undefined {
    const isShared = this.#isShared(record)
    if (!isShared && !this.plan.includes(record)) return undefined
    if (!isShared) this.#stopSharing()
    const { kept, partly } = this.#writer
    this.#reader.take(record)
    if (isShared) return undefined
    const kind = this.#reader.kind(record)
    return { kind, isKept: this.#writer.kept > kept, isPartly: this.#writer.partly > partly }
  }

  /** Keeps a record that no session wants. */
  keep(record: SourceRecord): Reading {
    this.#writer.at(record, undefined)
    const kind = this.#reader.kind(record)
    this.#writer.keep(kind)
    return { kind, isKept: true, isPartly: false }
  }

  /** Notes what could not be read: the session's own, or what it inherits. */
  damaged(record: DamagedRecord): void {
    const { boundary } = this.inheritance ?? {}
    if (this.inheritance === undefined || (boundary !== undefined && record.ordinal <= boundary.ordinal)) {
      this.#writer.damaged(record)
    }
  }

  /** Ends what is open. */
  finish(): void {
    this.#stopSharing()
    this.#reader.settle()
  }

  /** The events since the last call that the session does not inherit. */
  drain(): SessionEvent[] {
    const events = this.#writer.drain()
    for (const event of events) this.#tally.add(event)
    const from = (this.inheritance?.boundary?.seq ?? -1) + 1
    return events.length > 0 && events[0]!.seq < from ? events.filter(({ seq }) => seq >= from) : events
  }

  report(): SessionReport {
    const { id, parentSession, seedLength = 0 } = this.header
    const parent = parentSession === undefined ? {} : { parent: parentSession }
    return this.#tally.report({ id, role: this.plan.role, ...parent, inherited: seedLength })
  }

  #isShared(record: SourceRecord): boolean {
    const { boundary, from } = this.inheritance ?? {}
    return this.#isSharing && record.ordinal <= boundary!.ordinal && from!.plan.includes(record)
  }

  #stopSharing(): void {
    if (!this.#isSharing) return
    this.#isSharing = false
    this.#reader.settle()
  }
}
