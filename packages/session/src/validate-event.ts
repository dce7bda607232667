import { isEventType } from './codec/line-guards.js'
import { describeValue } from './describe.js'
import { locateError, SessionError } from './error.js'
import type { SessionEvent } from './event.js'
import { snapshotJsonValue } from './json.js'
import { readSurfaceIntent } from './surface-op.js'
import { unreadable } from './unreadable.js'
import { checkPayload } from './validate-payload.js'

const envelopeKeys: ReadonlySet<string> = new Set(['type', 'seq', 'time', 'surfaceOp', 'sourceEventSeqs', 'data'])

/**
 * The one way into the log, for appends and for seeds alike: checks the parts of an event and gives the frozen event,
 * its keys in stored order.
 * @param intent surface metadata, undefined where there is none
 * @throws NOT_JSON, INVALID_EVENT, SURFACE_CONFLICT, naming the path
 */
export function acceptEvent(type: unknown, seq: number, time: number, data: unknown, intent: unknown): SessionEvent {
  const known = checkType(type, seq)
  // Of an append too, where it comes from the clock: a faked one can tell anything.
  if (!Number.isSafeInteger(time) || Object.is(time, -0)) {
    throw invalid(seq, 'time', 'whole epoch milliseconds', describeValue(time))
  }
  let snapshot: unknown
  try {
    snapshot = snapshotJsonValue(data, 'data')
  } catch (error) {
    throw locateError(error, { seq })
  }
  checkPayload(known, snapshot, seq)
  const surface = readSurfaceIntent(known, seq, intent)
  const event =
    surface === undefined
      ? { type: known, seq, time, data: snapshot }
      : surface.sourceEventSeqs === undefined
        ? { type: known, seq, time, surfaceOp: surface.surfaceOp, data: snapshot }
        : {
            type: known,
            seq,
            time,
            surfaceOp: surface.surfaceOp,
            sourceEventSeqs: surface.sourceEventSeqs,
            data: snapshot,
          }
  return Object.freeze(event) as SessionEvent
}

/**
 * Checks a whole event that comes from outside: a seed, a foreign file, a row without a verified checksum.
 * @param seq the position that the event must have
 * @throws as {@link acceptEvent}; INVALID_EVENT also for an envelope with a gap, a missing or an unknown key
 */
export function acceptWholeEvent(value: unknown, seq: number): SessionEvent {
  const envelope = readEnvelope(value, seq)
  if (envelope.seq !== seq) throw invalid(seq, 'seq', String(seq), describeValue(envelope.seq))
  if (!Object.hasOwn(envelope, 'data')) throw invalid(seq, 'data', 'a payload', 'none')
  const { surfaceOp, sourceEventSeqs } = envelope
  const marked = Object.hasOwn(envelope, 'surfaceOp') || Object.hasOwn(envelope, 'sourceEventSeqs')
  const intent = marked
    ? Object.hasOwn(envelope, 'sourceEventSeqs')
      ? { surfaceOp, sourceEventSeqs }
      : { surfaceOp }
    : undefined
  return acceptEvent(envelope.type, seq, envelope.time as number, envelope.data, intent)
}

/** Each property once. */
function readEnvelope(value: unknown, seq: number): Record<string, unknown> {
  try {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalid(seq, 'event', 'an object', describeValue(value))
    }
    const unknown = Reflect.ownKeys(value).find(key => typeof key === 'symbol' || !envelopeKeys.has(key))
    if (unknown === undefined) return { ...value }
    throw invalid(seq, 'event', `only the keys ${[...envelopeKeys].join(', ')}`, `the key ${String(unknown)}`)
  } catch (error) {
    throw unreadable('an event', error, { seq, path: 'event' })
  }
}

/** @throws INVALID_EVENT when `type` is not an event's type */
export function checkType(type: unknown, seq: number): string {
  if (!isEventType(type)) {
    const expected = "a name with a slash inside, such as 'plugin/fact'; bare tags belong to storage"
    throw invalid(seq, 'type', expected, describeValue(type))
  }
  if (type === 'request/header-delta') {
    throw invalid(seq, 'type', "whole headers as 'request/header'", 'the removed type "request/header-delta"')
  }
  return type
}

function invalid(seq: number, path: string, expected: string, found: string): SessionError {
  return new SessionError('INVALID_EVENT', { expected, found, seq, path })
}
