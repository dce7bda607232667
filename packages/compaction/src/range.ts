import type { Message } from '@dsh/llm'
import { SessionError, type SessionView } from '@dsh/session'
import { type CallSpan, callSpans } from './call-spans.js'
import type { CompactedRange } from './events.js'

/** A range of the surface that can be replaced: no tool call is in it without its answer, and none is in flight. */
export interface CompactionRange extends CompactedRange {
  /** The nodes of the range in surface order. */
  readonly seqs: readonly number[]
  /** What the model sees of them. */
  readonly messages: readonly Message[]
}

/** How much of the surface {@link oldestRange} leaves alone. */
export interface OldestRangeOptions {
  /** How many of the first nodes to keep, at least; default 0. */
  readonly keepFirst?: number
  /** How many of the last nodes to keep, at least; default 0. */
  readonly keepLast?: number
}

/**
 * The oldest part of the surface as one range, made smaller where it would part a tool call from its answer or hold one in
 * flight. Undefined when fewer than two nodes remain: there is nothing to gain then.
 */
export function oldestRange(view: SessionView, options: OldestRangeOptions = {}): CompactionRange | undefined {
  const { keepFirst = 0, keepLast = 0 } = options
  const spans = callSpans(view)
  const length = view.surface.nodes.length
  let from = Math.max(0, keepFirst)
  let to = length - Math.max(0, keepLast)
  while (from < to && isCut(spans, from)) from++
  while (from < to && isCut(spans, to)) to--
  return to - from < 2 ? undefined : rangeOf(view, from, to)
}

/**
 * The range from `start` through `end`, both nodes of the surface, made wider where it would part a tool call from its
 * answer.
 * @throws SURFACE_CONFLICT when a bound is not on the surface, when `end` comes before `start`, and when the range would
 *   hold a call in flight: its answer is yet to come
 */
export function wholeRange(view: SessionView, start: number, end: number): CompactionRange {
  const { nodes } = view.surface
  let from = nodes.indexOf(start)
  let to = nodes.indexOf(end) + 1
  if (from < 0 || to <= from) {
    throw conflict(view, `two nodes of the surface in order`, `${start} and ${end}`)
  }
  const spans = callSpans(view)
  while (isCut(spans, from)) from--
  while (to < nodes.length && isCut(spans, to)) to++
  if (isCut(spans, to)) {
    throw conflict(view, 'a range without a tool call in flight', `one at seq ${callInFlight(view, spans)}`)
  }
  return rangeOf(view, from, to)
}

/**
 * The same range again, as the surface is by now.
 * @throws SURFACE_CONFLICT when the surface no longer holds exactly these nodes there, or the range parts a call from its
 *   answer
 */
export function sameRange(view: SessionView, range: CompactionRange): CompactionRange {
  const found = wholeRange(view, range.start, range.end)
  const isSame = found.seqs.length === range.seqs.length && found.seqs.every((seq, at) => seq === range.seqs[at])
  if (isSame) return found
  throw conflict(view, `the nodes ${range.seqs.join(', ')}`, found.seqs.join(', '))
}

/** Whether the boundary before `position` lies inside a span. */
function isCut(spans: readonly CallSpan[], position: number): boolean {
  return spans.some(({ first, last }) => first < position && (last === undefined || position <= last))
}

function callInFlight(view: SessionView, spans: readonly CallSpan[]): number | undefined {
  const open = spans.find(span => span.last === undefined)
  return open && view.surface.nodes[open.first]
}

function rangeOf(view: SessionView, from: number, to: number): CompactionRange {
  const seqs = view.surface.nodes.slice(from, to)
  const messages = seqs.flatMap(seq => view.deriveEventMessage(view.eventAt(seq)) ?? [])
  return { start: seqs[0]!, end: seqs.at(-1)!, seqs, messages }
}

function conflict(view: SessionView, expected: string, found: string): SessionError {
  return new SessionError('SURFACE_CONFLICT', { expected, found, session: view.id })
}
