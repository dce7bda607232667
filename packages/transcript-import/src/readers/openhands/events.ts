import type { ContentBlock, JsonValue, TokenUsage, ToolSchema } from '@dsh/llm'
import type { Fields } from '../../fields.js'
import type { Ending } from '../../turn/turn-builder.js'
import { readAction, readObservation } from './version-0.js'
import { readVersion1 } from './version-1.js'

/** What an event of either version says. */
export type OpenHandsEvent =
  | { readonly type: 'system'; readonly text: string | undefined; readonly tools: ToolSchema[] | undefined }
  | { readonly type: 'prompt' | 'context'; readonly content: readonly ContentBlock[] }
  | {
      readonly type: 'answer'
      readonly content: readonly ContentBlock[]
      readonly model: string | undefined
      readonly usage: TokenUsage | undefined
      /** Whether the agent says that it is done. */
      readonly isLast: boolean
    }
  | {
      readonly type: 'result'
      readonly callId: string
      readonly content: readonly ContentBlock[]
      readonly isError: boolean | undefined
      readonly meta: JsonValue | undefined
    }
  | { readonly type: 'end'; readonly ending: Ending }
  | {
      readonly type: 'condensation'
      /** Ids of the events that the model no longer sees. */
      readonly forgotten: readonly (number | string)[]
      readonly content: readonly ContentBlock[]
    }

/** Reads an event; undefined for one that is no part of the conversation. */
export function readEvent(kind: string, fields: Fields): OpenHandsEvent | undefined {
  if (kind.startsWith('action/')) return readAction(kind.slice('action/'.length), fields)
  if (kind.startsWith('observation/')) return readObservation(kind.slice('observation/'.length), fields)
  return readVersion1(kind, fields)
}

/** What stands in the place of events that were left out without a summary. */
export function leftOut(count: number): string {
  return count === 1 ? '(An earlier event was left out here.)' : `(${count} earlier events were left out here.)`
}
