import type {
  AssistantMessage,
  CallId,
  JsonValue,
  StreamChunk,
  TokenUsage,
  ToolResultMessage,
  UserMessage,
} from '@dsh/llm'
import type { EpochHeader, RequestContext, RequestHeaderReason } from './request.js'
import type { TodoItem } from './todo.js'
import type { TurnEndReason, TurnTrigger } from './turn.js'

/**
 * The events of a log by type. Merge-extensible: a plugin adds a type, always with a slash in its name, by declaration
 * merging on `@dsh/session`; such events are log-only. Payloads are lossless JSON.
 */
export interface SessionEventMap {
  /** Opens turn `turn`; turns count from 1. */
  'turn/start': { readonly turn: number; readonly trigger: TurnTrigger }
  /** Closes turn `turn`. A loop awaits a flush before it claims its next item. */
  'turn/end': { readonly turn: number; readonly reason: TurnEndReason }
  /** Opens step `step` of the turn: one model call and the tools it asks for. Steps count from 1 in each turn. */
  'step/start': { readonly turn: number; readonly step: number }
  /** Closes step `step` of the turn. */
  'step/end': { readonly turn: number; readonly step: number }
  /** A user-role message: a prompt, or context that a plugin injected; `source` tells them apart. */
  'user/message': UserMessage
  /** One chunk of the model's stream, as it came. */
  'assistant/chunk': { readonly turn: number; readonly step: number; readonly chunk: StreamChunk }
  /** The assembled answer of one step. `usage` is absent when the adapter reported none. */
  'assistant/message': {
    readonly turn: number
    readonly step: number
    readonly message: AssistantMessage
    readonly usage?: TokenUsage
  }
  /** A tool is about to run. `arguments` is the model's JSON text, unparsed. */
  'tool/call': {
    readonly turn: number
    readonly step: number
    readonly callId: CallId
    readonly name: string
    readonly arguments: string
  }
  /** The answer to a tool call. `error` names an internal failure; `meta` belongs to the tool that wrote it. */
  'tool/result': {
    readonly turn: number
    readonly step: number
    readonly message: ToolResultMessage
    readonly error?: { readonly name: string; readonly code: string }
    readonly meta?: JsonValue
  }
  /** A user-role message put between the steps of a running turn. */
  'steering/message': { readonly turn: number; readonly message: UserMessage }
  /** The whole todo list; the last one counts. */
  'todo/write': { readonly todos: readonly TodoItem[] }
  /** The header of the next request, whole, recorded inside its step before the request is sent. */
  'request/header': { readonly header: EpochHeader; readonly reason: RequestHeaderReason }
  /** Capacity of the route that a request resolved to, beside its header and only where it changed. */
  'request/context': RequestContext
}

/** The type of a known event. */
export type SessionEventType = keyof SessionEventMap

/** The event types that produce messages. The set is closed. */
export type SurfaceEventType = 'user/message' | 'assistant/message' | 'tool/result' | 'steering/message'

/**
 * How an event enters the surface: at its tail, or in place of the nodes from `start` through `end`, both inclusive
 * and both on the current surface, every one of which the event then cites in its `sourceEventSeqs`.
 */
export type SurfaceOp = 'append' | { readonly op: 'replace'; readonly start: number; readonly end: number }

/** Placement and provenance of a message-producing event, the third parameter of `session.append`. */
export interface SurfaceIntent {
  readonly surfaceOp: SurfaceOp
  /**
   * The events that this one was made from: unique and earlier. Empty on an `assistant/message` only, for a stream known
   * to have been empty. Absent means not recorded.
   */
  readonly sourceEventSeqs?: readonly number[]
}

/** One entry of the log, frozen with all it holds; a union discriminated by `type`. */
export type SessionEvent<T extends SessionEventType = SessionEventType> = {
  [K in SessionEventType]: {
    readonly type: K
    /** Position in the log, from 0 without gaps. */
    readonly seq: number
    /** Unix epoch milliseconds; never an order. */
    readonly time: number
    readonly data: SessionEventMap[K]
  } & (K extends SurfaceEventType
    ? { readonly surfaceOp: SurfaceOp; readonly sourceEventSeqs?: readonly number[] }
    : object)
}[T]
