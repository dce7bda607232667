import type { JsonValue } from '@dsh/llm'
import type { JsonRecord } from '../../json-value.js'

/** An event of a session log, as its file has it. */
export interface SourceEvent {
  readonly type: string
  /** Its number in the file; absent where only its position tells. */
  readonly seq?: number | undefined
  /** Unix epoch milliseconds; absent where the file has none. */
  readonly time?: number | undefined
  readonly data: JsonValue
  readonly surfaceOp?: JsonValue | undefined
  readonly sourceEventSeqs?: JsonValue | undefined
}

/** An event as the log takes it, with what was left of the source's. */
export interface AdaptedEvent {
  readonly type: string
  readonly data: JsonValue
  /** What has no place in the event. */
  readonly left?: JsonRecord | undefined
  /** Something to be said beside it. */
  readonly note?: { readonly about: string; readonly text: string; readonly details?: JsonValue } | undefined
}
