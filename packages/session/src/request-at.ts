import type { Message } from '@dsh/llm'
import { contextWindow } from './folds/context-window.js'
import type { EpochHeader } from './request.js'
import type { SessionView } from './session-view.js'

/** A model request as a log records it. */
export interface LoggedRequest {
  /** Call configuration, system prompt and tools in canonical form; absent before the first `request/header`. */
  readonly header?: EpochHeader
  readonly messages: readonly Message[]
  /** Capacity of the header's route in tokens: metadata, not a part of the request. Absent when unknown. */
  readonly contextWindow?: number
}

/**
 * The request that a loop sends when the log's next sequence number is `seq`: a pure function of the events below it.
 * For a step of the log, `seq` is that of its first `assistant/chunk`, or of its `assistant/message` if it has none.
 * @throws INVALID_BOUNDARY when the log is shorter than `seq`
 */
export function requestAt(view: SessionView, seq: number): LoggedRequest {
  const prefix = view.at(seq)
  const { header, inForce } = prefix.fold(contextWindow)
  return {
    ...(header && { header }),
    messages: prefix.deriveMessages(),
    ...(inForce && { contextWindow: inForce.contextWindow }),
  }
}
