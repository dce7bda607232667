import { jsonEquals } from '@dsh/llm'
import type { SessionEvent } from './event.js'
import type { FoldDefinition } from './fold.js'
import type { EpochHeader, RequestContext } from './request.js'

/**
 * The header in canonical form: an empty system prompt, an empty tool list and fields whose value is `undefined` are
 * absent. Returns `header` itself where it has that form already.
 */
export function canonicalHeader(header: EpochHeader): EpochHeader {
  const config = withoutAbsent(header.config, () => true)
  const canonical = withoutAbsent(
    header,
    (key, value) => !(key === 'system' && value === '') && !(key === 'tools' && isEmptyList(value)),
  )
  return config === header.config ? canonical : { ...canonical, config }
}

/**
 * Whether two headers make the same request. Their canonical forms are compared; the order of object keys does not count
 * at any depth, the order of tools does.
 */
export function headerEquals(a: EpochHeader, b: EpochHeader): boolean {
  return jsonEquals(canonicalHeader(a), canonicalHeader(b))
}

/** The header in force after a log's last `request/header`, in canonical form; undefined before the first. */
export const requestHeaderFold: FoldDefinition<EpochHeader | undefined> = {
  initial: () => undefined,
  types: ['request/header'],
  apply: (header, event) => (event.type === 'request/header' ? canonicalHeader(event.data.header) : header),
}

/** The route capacity recorded last, whether or not it belongs to the header in force; undefined before the first. */
export const requestContextFold: FoldDefinition<RequestContext | undefined> = {
  initial: () => undefined,
  types: ['request/context'],
  apply: (context, event) => (event.type === 'request/context' ? event.data : context),
}

/** {@link requestHeaderFold} over events that are in no session. */
export function foldRequestHeader(events: Iterable<SessionEvent>): EpochHeader | undefined {
  let header = requestHeaderFold.initial()
  for (const event of events) header = requestHeaderFold.apply(header, event)
  return header
}

function withoutAbsent<T extends object>(value: T, keep: (key: string, value: unknown) => boolean): T {
  // A header is checked where it enters a log; before that it can be anything.
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const kept = entries.filter(([key, item]) => item !== undefined && keep(key, item))
  return kept.length === entries.length ? value : (Object.fromEntries(kept) as T)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
