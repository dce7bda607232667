import type { ContentBlock, JsonValue, MessageSource } from '@dsh/llm'
import { imageFromUrl, reasoning, text, toolCall } from '../../content.js'
import type { Fields } from '../../fields.js'
import { textField } from '../../json-value.js'

export const codexSource: MessageSource = { kind: 'plugin', plugin: 'codex' }

/** What Codex puts into the history in the person's name. */
const injected =
  /^\s*(?:<(?:environment_context|user_instructions|instructions|turn_aborted|user_shell_command|skill|subagent_|permissions|collaboration_mode|apps_instructions|model_switch|personality)|# AGENTS\.md instructions)/i

/** Roles that the message gets anyhow. */
const plainRoles: ReadonlySet<unknown> = new Set(['user', 'assistant'])

/** What an item of the history is. */
export type CodexItem =
  | { readonly type: 'user'; readonly content: readonly ContentBlock[]; readonly isInjected: boolean }
  /** A piece of an answer. */
  | { readonly type: 'piece'; readonly content: readonly ContentBlock[] }
  | {
      readonly type: 'result'
      readonly callId: string
      readonly content: readonly ContentBlock[]
      readonly isError: boolean | undefined
    }

/**
 * Reads an item of the history; undefined for one without a counterpart: tools that ran at the provider, snapshots,
 * encrypted summaries.
 * @param id for a call without one
 */
export function readItem(item: Fields, id: string): CodexItem | undefined {
  switch (item.peek('type')) {
    case 'message':
      return readMessage(item)
    case 'agent_message': {
      const content = readContent(item, 'content')
      return content.length === 0 ? undefined : { type: 'user', content, isInjected: true }
    }
    case 'reasoning':
      return { type: 'piece', content: readReasoning(item) }
    case 'function_call':
      return call(item, id, item.take('arguments'))
    case 'custom_tool_call':
      // The input is plain text, where arguments are JSON.
      return call(item, id, JSON.stringify({ input: item.text('input') ?? '' }))
    case 'local_shell_call':
      return call(item, id, item.take('action'), 'local_shell')
    case 'tool_search_call':
      return call(item, id, item.take('arguments'), 'tool_search')
    case 'function_call_output':
    case 'custom_tool_call_output':
      return readOutput(item, 'output')
    case 'tool_search_output':
      return readOutput(item, 'tools')
    default:
      return undefined
  }
}

/** The call that an item of the history answers. */
export function answeredCall(item: JsonValue | undefined): string | undefined {
  return textField(item, 'type')?.endsWith('_output') ? textField(item, 'call_id') : undefined
}

function readMessage(item: Fields): CodexItem | undefined {
  const role = item.spendKnown('role', plainRoles).peek('role')
  const content = readContent(item, 'content')
  if (role === 'assistant') return { type: 'piece', content }
  if (content.length === 0) return undefined
  const [first] = content
  const isInjected = role !== 'user' || (first?.type === 'text' && injected.test(first.text))
  return { type: 'user', content, isInjected }
}

/** A content list, or a string; parts without text or image are left. */
function readContent(item: Fields, key: string): ContentBlock[] {
  const whole = item.text(key)
  if (whole !== undefined) return [text(whole)]
  return (item.objects(key) ?? []).flatMap(part => readPart(part) ?? [])
}

function readPart(part: Fields): ContentBlock | undefined {
  const said = part.text('text')
  const url = said === undefined ? part.text('image_url') : undefined
  if (said === undefined && url === undefined) return undefined
  part.spend('type')
  return said === undefined ? imageFromUrl(url!) : text(said)
}

function readReasoning(item: Fields): ContentBlock[] {
  const parts = ['summary', 'content'].flatMap(key => item.objects(key) ?? [])
  return parts.flatMap(part => {
    const said = part.text('text')
    if (said === undefined) return []
    part.spend('type')
    return [reasoning(said)]
  })
}

function call(item: Fields, id: string, args: JsonValue | undefined, name?: string): CodexItem {
  const callId = item.text('call_id') || textField(item.record, 'id') || id
  return { type: 'piece', content: [toolCall(callId, name ?? item.text('name'), args)] }
}

function readOutput(item: Fields, key: string): CodexItem | undefined {
  const callId = item.text('call_id')
  if (callId === undefined || callId === '') return undefined
  const output = item.object(key)
  const said = output?.text('content') ?? output?.text('text')
  if (output === undefined || said === undefined) {
    return { type: 'result', callId, content: outputContent(item, key), isError: undefined }
  }
  const isSuccess = output.flag('success')
  return { type: 'result', callId, content: [text(said)], isError: isSuccess === undefined ? undefined : !isSuccess }
}

/** All of an output: parts that are neither text nor image are shown as they are. */
function outputContent(item: Fields, key: string): ContentBlock[] {
  const parts = item.objects(key)
  if (parts !== undefined) {
    return parts.map(part => readPart(part) ?? text(JSON.stringify(part.spend(...Object.keys(part.record)).record)))
  }
  const output = item.take(key) ?? null
  if (output === null) return []
  return [text(typeof output === 'string' ? output : JSON.stringify(output))]
}
