import { describeValue } from './describe.js'
import { SessionError } from './error.js'
import type { SurfaceEventType, SurfaceOp } from './event.js'
import { unreadable } from './unreadable.js'

const surfaceTypes: ReadonlySet<string> = new Set<SurfaceEventType>([
  'user/message',
  'assistant/message',
  'tool/result',
  'steering/message',
])

/** Whether events of `type` produce messages and so must declare how they enter the surface. The set is closed. */
export function isSurfaceEligibleType(type: string): type is SurfaceEventType {
  return surfaceTypes.has(type)
}

/** Whether `event` is on, or was on, the surface. */
export function isSurfaceEvent<E extends { readonly type: string }>(
  event: E,
): event is Extract<E, { readonly type: SurfaceEventType }> {
  return surfaceTypes.has(event.type)
}

/** Surface metadata as it will lie in the event. */
export interface ReadIntent {
  readonly surfaceOp: SurfaceOp
  readonly sourceEventSeqs: readonly number[] | undefined
}

/**
 * Reads the surface metadata of a candidate event, each property once, into a frozen copy.
 * @param seq the candidate's own seq, which its sources must precede
 * @throws SURFACE_CONFLICT when the metadata is missing, malformed or on an event that cannot have any
 */
export function readSurfaceIntent(type: string, seq: number, intent: unknown): ReadIntent | undefined {
  if (!surfaceTypes.has(type)) {
    if (intent === undefined) return undefined
    throw conflict(seq, 'no surface metadata', `some on a ${JSON.stringify(type)} event, which is log-only`)
  }
  if (typeof intent !== 'object' || intent === null) {
    throw conflict(seq, `{ surfaceOp } for a ${JSON.stringify(type)} event`, describeValue(intent))
  }
  try {
    return readIntent(type, seq, intent)
  } catch (error) {
    throw unreadable('surface metadata', error, { seq })
  }
}

function readIntent(type: string, seq: number, intent: object): ReadIntent {
  for (const key of Reflect.ownKeys(intent)) {
    if (key === 'surfaceOp' || key === 'sourceEventSeqs') continue
    throw conflict(seq, 'only surfaceOp and sourceEventSeqs', `the key ${JSON.stringify(String(key))}`)
  }
  const { surfaceOp, sourceEventSeqs } = intent as Record<string, unknown>
  const op = readSurfaceOp(seq, surfaceOp)
  if (sourceEventSeqs !== undefined) {
    return { surfaceOp: op, sourceEventSeqs: readSources(type, seq, sourceEventSeqs) }
  }
  if (Object.hasOwn(intent, 'sourceEventSeqs')) throw conflict(seq, 'a list or no key', 'undefined', 'sourceEventSeqs')
  return { surfaceOp: op, sourceEventSeqs: undefined }
}

/** @throws SURFACE_CONFLICT when `op` is not a {@link SurfaceOp} */
export function readSurfaceOp(seq: number, op: unknown): SurfaceOp {
  if (op === 'append') return op
  if (typeof op !== 'object' || op === null) {
    throw conflict(seq, "'append' or { op: 'replace', start, end }", describeValue(op), 'surfaceOp')
  }
  const { op: kind, start, end, ...rest } = op as Record<string, unknown>
  if (kind !== 'replace' || !isSeq(start) || !isSeq(end) || Reflect.ownKeys(rest).length > 0) {
    throw conflict(seq, "'append' or { op: 'replace', start, end } with two seqs", 'another object', 'surfaceOp')
  }
  return Object.freeze({ op: 'replace', start, end })
}

function readSources(type: string, seq: number, sources: unknown): readonly number[] {
  const path = 'sourceEventSeqs'
  if (!Array.isArray(sources)) throw conflict(seq, 'a list of seqs', describeValue(sources), path)
  if (sources.length > seq) throw conflict(seq, `at most ${seq} seqs`, String(sources.length), path)
  const out = copyList(seq, sources)
  let ascending = true
  let last = -1
  for (let index = 0; index < out.length; index++) {
    const source = out[index]
    if (!isSeq(source) || source >= seq) {
      throw conflict(seq, `a seq from 0 to ${seq - 1}`, describeValue(source), `${path}[${index}]`)
    }
    if (source <= last) ascending = false
    last = source
  }
  if (!ascending && new Set(out).size !== out.length) throw conflict(seq, 'unique seqs', 'a repeated seq', path)
  if (out.length === 0 && type !== 'assistant/message') {
    throw conflict(seq, 'at least one seq', `an empty list on a ${JSON.stringify(type)} event`, path)
  }
  return Object.freeze(out) as readonly number[]
}

/** How long a list may be for its every key to be looked at; beyond that it would cost more than the whole append. */
const INSPECTED_LENGTH = 64

function copyList(seq: number, sources: readonly unknown[]): unknown[] {
  const { length } = sources
  // Before the spread, which a list with its own iterator could lead anywhere.
  const odd =
    Object.getOwnPropertySymbols(sources).length > 0 ||
    (length <= INSPECTED_LENGTH && Reflect.ownKeys(sources).length !== length + 1)
  if (odd) throw conflict(seq, 'a plain list of seqs', 'holes or extra properties', 'sourceEventSeqs')
  return [...sources]
}

function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && ((value as number) > 0 || Object.is(value, 0))
}

export function conflict(seq: number, expected: string, found: string, path?: string): SessionError {
  return new SessionError('SURFACE_CONFLICT', { expected, found, seq, ...(path === undefined ? {} : { path }) })
}
