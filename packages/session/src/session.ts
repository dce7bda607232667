import { locateError, SessionError } from './error.js'
import type { SessionEvent, SessionEventMap, SessionEventType, SurfaceEventType, SurfaceIntent } from './event.js'
import { SESSION_FORMAT_VERSION, type SessionHeader, type SessionId } from './header.js'
import { EventLog } from './log/event-log.js'
import { SessionRestorer } from './restore.js'
import type { StoredRow } from './row.js'
import { seedLog } from './seed.js'
import { SessionView, surfaceOf } from './session-view.js'
import { isSurfaceEvent } from './surface-op.js'
import { checkSurfaceEvent } from './surface-rules.js'
import { acceptEvent } from './validate-event.js'
import { checkSeedLength, sessionId, validateHeader } from './validate-header.js'

/**
 * Who owns a session and tells others of its events.
 *
 * `admit` is called with the candidate before it is committed: a throw refuses the append and leaves the log as it was.
 * The function it returns, if any, is called after the commit and must not throw.
 */
export interface SessionHost {
  admit(event: SessionEvent): (() => void) | undefined
}

/** A session over a log that was checked already; for this package only. */
export let sessionOver: (header: SessionHeader, log: EventLog) => Session
/** See `@dsh/session/host`. */
export let setHost: (session: Session, host: SessionHost | undefined) => void
/** See `@dsh/session/host`. */
export let hostOf: (session: Session) => SessionHost | undefined

/**
 * An agent's interaction as an append-only log of typed events. Plain class: `ctx.sessions.create()` makes sessions that
 * an application shares, the constructor makes one that nobody else sees.
 */
export class Session extends SessionView {
  readonly #log: EventLog
  #host: SessionHost | undefined
  #appending = false

  static {
    // What made the log has checked it, so it goes in by the back door that the constructor's types do not show.
    sessionOver = (header, log) => new Session(header.id, log as unknown as readonly SessionEvent[], header)
    setHost = (session, host) => {
      session.#host = host
    }
    hostOf = session => session.#host
  }

  /**
   * @param seed events to start with, seq 0 first; each is checked as an append would be
   * @param header creation metadata; a minimal one is made where absent
   * @throws INVALID_EVENT, NOT_JSON, SURFACE_CONFLICT, FORMAT_UNSUPPORTED
   */
  constructor(id: SessionId | string, seed?: readonly SessionEvent[], header?: SessionHeader) {
    const known = sessionId(id)
    const checked = validateHeader(
      header ?? { version: SESSION_FORMAT_VERSION, id: known, createdAt: Date.now() },
      known,
    )
    const log = EventLog.isLog(seed) ? seed : seedLog(seed, known)
    checkSeedLength(checked, log.length)
    super(checked, log, log.length)
    this.#log = log
  }

  /**
   * Builds a session from stored rows, which stay undecoded until somebody reads them.
   * @param options `trusted`: a verified checksum covers the rows, so that their payloads need no second check
   * @throws INVALID_EVENT for a gap, an overlap, a duplicate or a malformed row; SURFACE_CONFLICT, NOT_JSON
   */
  static restore(
    header: SessionHeader,
    rows: Iterable<StoredRow>,
    options: { readonly trusted?: boolean } = {},
  ): Session {
    const restorer = new SessionRestorer(header)
    for (const row of rows) restorer.push(row, options)
    return restorer.finish()
  }

  /**
   * Appends an event and tells the session's owner. Nothing waits for storage: `ctx.sessions.flush` does.
   * @param type the event's type
   * @param data the payload; a frozen copy of it enters the log
   * @param opts placement and provenance: required for the types that produce messages, refused for all others
   * @returns the event as it lies in the log
   * @throws NOT_JSON, INVALID_EVENT, SURFACE_CONFLICT, REENTRANT_APPEND, or what the owner's veto throws; the log is then
   *   as it was before
   */
  append<T extends SessionEventType>(
    type: T,
    data: SessionEventMap[T],
    ...opts: T extends SurfaceEventType ? [opts: SurfaceIntent] : []
  ): SessionEvent<T> {
    if (this.#appending) {
      throw new SessionError('REENTRANT_APPEND', {
        expected: 'no append while another one is being committed or published',
        found: `one of ${JSON.stringify(type)}`,
        session: this.id,
        seq: this.#log.length,
      })
    }
    this.#appending = true
    try {
      const event = this.#accept(type, data, opts[0])
      const notify = this.#host?.admit(event)
      this.#log.push(event)
      notify?.()
      return event as SessionEvent<T>
    } finally {
      this.#appending = false
    }
  }

  #accept(type: string, data: unknown, intent: SurfaceIntent | undefined): SessionEvent {
    try {
      const event = acceptEvent(type, this.#log.length, Date.now(), data, intent)
      if (isSurfaceEvent(event)) checkSurfaceEvent(surfaceOf(this), event, seq => this.#log.at(seq))
      return event
    } catch (error) {
      throw locateError(error, { session: this.id })
    }
  }
}
