import type { Session, SessionId } from '@dsh/session'
import { SessionError } from '@dsh/session'
import type { Clock } from './clock.js'
import { within } from './clock.js'
import type { WriterContext } from './session-writer.js'
import { SessionWriter } from './session-writer.js'
import type { StoredLogStart } from './stored-log.js'

/** A session that is not durable, as {@link SessionError.details} of a failed close names it. */
export interface UndurableSession {
  readonly id: SessionId
  /** The sequence number after the last durable event. */
  readonly durableSeq: number
  /** The length of the log. */
  readonly length: number
  readonly error?: SessionError
}

/** The writers of all sessions: of those that are live, and of those that left before everything was durable. */
export class Writers {
  readonly #context: Omit<WriterContext, 'released'>
  /** All that hold, or may yet take, something of the storage. */
  readonly #writers = new Set<SessionWriter>()
  readonly #byId = new Map<SessionId, SessionWriter>()
  /** Sessions that left and can never become durable. */
  readonly #lost = new Map<SessionId, SessionWriter>()
  #isAbandoned = false

  constructor(context: Omit<WriterContext, 'released'>) {
    this.#context = context
  }

  /** @throws SESSION_ALREADY_EXISTS when another session of this id is live or has not left the storage yet */
  attach(session: Session, start: StoredLogStart): SessionWriter {
    const known = this.#byId.get(session.id)
    if (known !== undefined) throw idTaken(session.id, 'one whose events are being stored')
    return this.#add(session, start)
  }

  /** Takes up a session that was resumed from elsewhere while its earlier life has not left the storage here. */
  succeed(session: Session, earlier: SessionWriter): SessionWriter {
    return this.#add(session, earlier.released)
  }

  /** Takes back an {@link attach} of a session that was never published: nothing of it is missed. */
  async discard(writer: SessionWriter): Promise<void> {
    writer.abandon()
    await writer.released
    const { id } = writer.session
    if (this.#lost.get(id) === writer) this.#lost.delete(id)
  }

  /** The writer of a session object. */
  of(session: Session): SessionWriter | undefined {
    const writer = this.#byId.get(session.id)
    return writer?.session === session ? writer : undefined
  }

  /** The writer of the session of this id, live or leaving. */
  get(id: SessionId): SessionWriter | undefined {
    return this.#byId.get(id)
  }

  /** Waits until what was appended to a session is durable, unless no retry can help. @throws what prevents it */
  async settle(id: SessionId): Promise<void> {
    const writer = this.#byId.get(id)
    if (writer !== undefined && !writer.isBlocked && !writer.isDurable) await writer.flush()
  }

  /** @throws the failure that took events of a session that has left, which the stored log therefore lacks */
  refuseLost(id: SessionId): void {
    const error = this.#lost.get(id)?.error
    if (error !== undefined) throw error
  }

  /**
   * Makes durable what was appended before the call.
   * @param deadline when it gives up, whatever is in flight; a time of `clock.now()`
   * @throws STORAGE_FAILED naming what is not durable, with {@link UndurableSession}s as `details.undurable`
   */
  async drain(clock: Clock, deadline: number): Promise<void> {
    const pending = [...this.#writers, ...this.#lost.values()]
      .filter(writer => !writer.isDurable)
      .map(writer => ({ writer, length: writer.length, flushed: writer.flush() }))
    await within(clock, deadline, Promise.allSettled(pending.map(({ flushed }) => flushed)))
    const undurable = pending
      .filter(({ writer, length }) => !writer.isDurableTo(length))
      .map(({ writer: { session, durableSeq, error }, length }) => ({
        id: session.id,
        durableSeq,
        length,
        ...(error !== undefined && { error }),
      }))
    if (undurable.length > 0) throw undurableError(undurable)
  }

  /** Lets nobody wait any longer for what is not durable: their flushes reject, and so does every later one. */
  stopWaiting(): void {
    for (const writer of this.#writers) writer.stopWaiting()
  }

  /**
   * Stops every writer and releases the storage of each as soon as its operation ends, durable or not. The writers stay
   * known, so that a flush can still say what became durable.
   */
  async abandonAll(): Promise<void> {
    this.#isAbandoned = true
    const writers = [...this.#writers]
    for (const writer of writers) writer.abandon()
    await Promise.all(writers.map(writer => writer.released))
  }

  #add(session: Session, start: StoredLogStart): SessionWriter {
    const released = (writer: SessionWriter) => this.#forget(writer)
    const writer = new SessionWriter(session, start, { ...this.#context, released })
    this.#lost.delete(session.id)
    this.#writers.add(writer)
    this.#byId.set(session.id, writer)
    return writer
  }

  #forget(writer: SessionWriter): void {
    if (this.#isAbandoned) return
    this.#writers.delete(writer)
    const { id } = writer.session
    if (this.#byId.get(id) === writer) this.#byId.delete(id)
    if (isLost(writer)) this.#lost.set(id, writer)
  }
}

/** Whether the stored log lacks events; where another incarnation is stored, it never was to have them. */
function isLost({ isDurable, length, error }: SessionWriter): boolean {
  if (isDurable || error === undefined || error.code === 'SESSION_ALREADY_EXISTS') return false
  const { storedSeq } = error.details
  return typeof storedSeq !== 'number' || storedSeq < length
}

/** The refusal of an id that a live or stored session has. */
export function idTaken(session: SessionId, found: string): SessionError {
  return new SessionError('SESSION_ALREADY_EXISTS', { expected: 'an id that no session has', found, session })
}

function undurableError(undurable: readonly UndurableSession[]): SessionError {
  const named = undurable.map(({ id, durableSeq, length, error }) => {
    const reason = error === undefined ? 'still being written' : error.message
    return `${JSON.stringify(id)} with ${durableSeq} of ${length} events (${reason})`
  })
  return new SessionError('STORAGE_FAILED', {
    expected: 'every event to be durable',
    found: named.join('; '),
    details: { indeterminate: false, undurable },
    ...(undurable[0]?.error !== undefined && { cause: undurable[0].error }),
  })
}
