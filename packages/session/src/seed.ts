import { describeValue } from './describe.js'
import { locateError, SessionError } from './error.js'
import type { SessionEvent } from './event.js'
import type { SessionId } from './header.js'
import { EventLog } from './log/event-log.js'
import { Surface } from './surface.js'
import { isSurfaceEvent } from './surface-op.js'
import { checkSurfaceEvent } from './surface-rules.js'
import { unreadable } from './unreadable.js'
import { acceptWholeEvent } from './validate-event.js'

/** Fills a log with events from outside, each checked as an append would be. */
export class CheckedLogBuilder {
  readonly #log: EventLog
  readonly #surface: Surface

  /** @param surface the surface of `log` as it is */
  constructor(log = new EventLog(), surface = new Surface()) {
    this.#log = log
    this.#surface = surface
  }

  /** @throws INVALID_EVENT, NOT_JSON, SURFACE_CONFLICT */
  add(value: unknown): void {
    const event = acceptWholeEvent(value, this.#log.length)
    if (isSurfaceEvent(event)) {
      checkSurfaceEvent(this.#surface, event, seq => this.#log.at(seq))
      this.#surface.apply(event.seq, event.surfaceOp)
    }
    this.#log.push(event)
  }

  get log(): EventLog {
    return this.#log
  }
}

/** The log of a constructor's seed. @throws INVALID_EVENT, NOT_JSON, SURFACE_CONFLICT */
export function seedLog(seed: readonly SessionEvent[] | undefined, session: SessionId): EventLog {
  const builder = new CheckedLogBuilder()
  if (seed === undefined) return builder.log
  try {
    if (!Array.isArray(seed)) {
      throw new SessionError('INVALID_EVENT', {
        expected: 'a list of events',
        found: describeValue(seed),
        path: 'seed',
      })
    }
    // An index loop, so that a hole is seen as what it is.
    for (let index = 0; index < seed.length; index++) builder.add(seed[index])
  } catch (error) {
    throw locateError(unreadable('a seed', error, { path: 'seed' }), { session })
  }
  return builder.log
}
