import type { ContentBlock, JsonValue } from '@dsh/llm'
import { imageFromUrl, text, toolCall } from '../../content.js'
import type { Fields } from '../../fields.js'
import { field, isRecord, textField } from '../../json-value.js'
import type { Ending } from '../../turn/turn-builder.js'
import { disjointUsage } from '../../usage.js'
import { readTools, toolSchema } from '../chat-request.js'
import { callOf } from './calls.js'
import { leftOut, type OpenHandsEvent } from './events.js'

/** Actions that move the runtime and not the conversation. */
const silent: ReadonlySet<string> = new Set(['null', 'change_agent_state', 'recall', 'condensation_request', 'reject'])

/** An action of version 0. */
export function readAction(action: string, fields: Fields): OpenHandsEvent | undefined {
  const args = fields.object('args')
  if (args === undefined || silent.has(action)) return undefined
  const source = fields.text('source')
  switch (action) {
    case 'system':
      return readSystem(args)
    case 'condensation':
      return readCondensation(args)
    case 'message': {
      const content = readMessage(args)
      if (content.length === 0) return undefined
      if (fields.peek('message') === args.peek('content')) fields.spend('message')
      if (source === 'user') return { type: 'prompt', content }
      const isLast = args.flag('wait_for_response') === true
      return { type: 'answer', content, ...readResponse(fields), isLast }
    }
    default:
      return source === 'agent' ? readCall(action, fields, args) : undefined
  }
}

/** An observation of version 0. */
export function readObservation(observation: string, fields: Fields): OpenHandsEvent | undefined {
  const extras = fields.object('extras')
  if (observation === 'agent_state_changed') return readState(extras)
  const { callId, isAnswer } = callOf(fields.record)
  if (observation === 'null' || observation === 'recall' || !isAnswer || callId === undefined) return undefined
  if (fields.peek('cause') === undefined && fields.peek('tool_call_metadata') === undefined) return undefined
  fields.spend('source')
  fields.object('tool_call_metadata')?.spend('function_name', 'tool_call_id')
  const content = readOutput(fields, extras)
  const isError = observation === 'error' || observation === 'user_rejected' ? true : undefined
  return { type: 'result', callId, content, isError, meta: fields.take('extras') }
}

function readSystem(args: Fields): OpenHandsEvent | undefined {
  const prompt = args.text('content')
  const tools = readTools(args, 'tools', item =>
    isRecord(item) && item.type === 'function' ? toolSchema(item.function, 'parameters') : undefined,
  )
  return prompt === undefined && tools === undefined ? undefined : { type: 'system', text: prompt, tools }
}

function readMessage(args: Fields): ContentBlock[] {
  const said = args.text('content')
  const urls = args.peek('image_urls')
  if (!Array.isArray(urls) || !urls.every(url => typeof url === 'string')) return said ? [text(said)] : []
  args.take('image_urls')
  return [...(said ? [text(said)] : []), ...urls.map(url => imageFromUrl(url))]
}

function readCall(action: string, fields: Fields, args: Fields): OpenHandsEvent {
  const metadata = fields.object('tool_call_metadata')
  const { callId = 'openhands:call' } = callOf(fields.record)
  const thought = args.text('final_thought') || args.text('thought')
  const said = thought ? [text(thought)] : []
  // The model never sees the call that ends its work again: the tool itself turns it into text.
  if (action === 'finish') {
    metadata?.spend('function_name', 'tool_call_id')
    return { type: 'answer', content: said, ...readResponse(fields), isLast: true }
  }
  const name = metadata?.text('function_name') ?? action
  const call = toolCall(callId, name, calledWith(metadata, callId) ?? argumentsOf(args))
  metadata?.spend('tool_call_id')
  return { type: 'answer', content: [...said, call], ...readResponse(fields), isLast: false }
}

/** The arguments as the model wrote them. */
function calledWith(metadata: Fields | undefined, callId: string): JsonValue | undefined {
  const [choice] = (field(metadata?.peek('model_response'), 'choices') ?? []) as readonly JsonValue[]
  const calls = field(field(choice, 'message'), 'tool_calls')
  if (!Array.isArray(calls)) return undefined
  const call = calls.find(item => textField(item, 'id') === callId)
  return textField(field(call, 'function'), 'arguments')
}

function argumentsOf(args: Fields): JsonValue {
  return Object.fromEntries(Object.entries(args.record).filter(([key]) => key !== 'thought'))
}

function readResponse(fields: Fields) {
  const response = fields.object('tool_call_metadata')?.object('model_response')
  const usage = response?.object('usage')
  const details = usage?.object('prompt_tokens_details')
  const reasoning = usage?.object('completion_tokens_details')?.count('reasoning_tokens')
  const cacheRead = usage?.count('cache_read_input_tokens') ?? details?.count('cached_tokens')
  return {
    model: response?.text('model'),
    usage:
      usage &&
      disjointUsage({
        input: usage.count('prompt_tokens'),
        output: usage.count('completion_tokens'),
        cacheRead,
        cacheWrite: usage.count('cache_creation_input_tokens'),
        reasoning,
        inputHasCacheRead: true,
        inputHasCacheWrite: true,
        outputHasReasoning: true,
      }),
  }
}

/** What the model got to see: for a command with the lines around its output, for an edit not the diff. */
function readOutput(fields: Fields, extras: Fields | undefined): ContentBlock[] {
  const shown = textField(extras?.record, 'formatted_output_and_error')
  if (shown !== undefined) return [text(shown)]
  const metadata = extras?.peek('metadata')
  const [prefix = '', suffix = ''] = [textField(metadata, 'prefix'), textField(metadata, 'suffix')]
  return [text(`${prefix}${fields.text('content') ?? ''}${suffix}`)]
}

function readState(extras: Fields | undefined): OpenHandsEvent | undefined {
  const state = textField(extras?.record, 'agent_state')
  const ending = state === undefined ? undefined : endings(state, textField(extras?.record, 'reason'))
  return ending === undefined ? undefined : { type: 'end', ending }
}

function endings(state: string, reason: string | undefined): Ending | undefined {
  switch (state) {
    case 'finished':
    case 'awaiting_user_input':
      return { kind: 'completed' }
    case 'stopped':
      return { kind: 'aborted' }
    case 'error':
      return { kind: 'error', message: reason || 'error' }
    default:
      return undefined
  }
}

function readCondensation(args: Fields): OpenHandsEvent | undefined {
  const listed = args.peek('forgotten_event_ids') ?? args.peek('pruned_event_ids')
  const [first, last] = [args.peek('forgotten_events_start_id'), args.peek('forgotten_events_end_id')]
  const forgotten = Array.isArray(listed)
    ? listed.filter(id => typeof id === 'number' || typeof id === 'string')
    : typeof first === 'number' && typeof last === 'number' && last - first < 1_000_000
      ? Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
      : []
  if (forgotten.length === 0) return undefined
  const summary = args.text('summary')
  return { type: 'condensation', forgotten, content: [text(summary?.trim() ? summary : leftOut(forgotten.length))] }
}
