import type { JsonValue } from '@dsh/llm'
import { field, type JsonRecord, textField } from '../../json-value.js'

/** How an event stands to a tool call. */
export interface CallFacts {
  /** The call that the event makes or answers. */
  readonly callId: string | undefined
  /** The response of the model that makes the call; several events can share one. */
  readonly responseId: string | undefined
  /** Whether the event answers the call. */
  readonly isAnswer: boolean
}

/** The ids of an action or observation, of either version. Actions of agents without tool calls count as calls too. */
export function callOf(event: JsonRecord): CallFacts {
  const metadata = event.tool_call_metadata
  const named = textField(metadata, 'tool_call_id') ?? textField(event, 'tool_call_id')
  const responseId = textField(field(metadata, 'model_response'), 'id') ?? textField(event, 'llm_response_id')
  const cause = field(event, 'cause') ?? field(event, 'action_id')
  const isAnswer = event.observation !== undefined || cause !== undefined || event.kind === 'AgentErrorEvent'
  return { callId: named ?? idName(isAnswer ? cause : event.id), responseId, isAnswer }
}

/** The id that a call without one gets from its event. */
function idName(id: JsonValue | undefined): string | undefined {
  return typeof id === 'number' || typeof id === 'string' ? `openhands:${id}` : undefined
}
