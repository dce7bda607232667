import type { ContentBlock, JsonObject, JsonValue, Message, ToolResultBlock } from '@dsh/llm'
import { isToolResultBlock } from '@dsh/llm'
import type { SessionView } from '@dsh/session'
import { mediaTypeOf } from '../content.js'
import { UNPARSED } from '../readers/anthropic/blocks.js'
import type { ExportOptions } from './options.js'
import { providerParts } from './provider-parts.js'

/** A content block of the Anthropic API, as plain JSON. */
export type AnthropicBlock = { readonly type: string; readonly [key: string]: JsonValue }

/** A message of the Anthropic API. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly AnthropicBlock[]
}

/** What a session gives for a request to the Anthropic API; the fields that apply are present. */
export interface AnthropicRequest {
  readonly model?: string
  readonly max_tokens?: number
  readonly temperature?: number
  readonly stop_sequences?: readonly string[]
  readonly system?: string
  readonly tools?: readonly JsonObject[]
  readonly messages: readonly AnthropicMessage[]
}

/**
 * The history that the model sees as a request to the Anthropic API. The results of an answer's calls are in one message;
 * apart from that messages correspond to those of the session, so neighbours of one role are not merged.
 */
export function anthropicRequest(view: SessionView, options: ExportOptions = {}): AnthropicRequest {
  const { header, messages } = providerParts(view, options)
  const { config, system, tools } = header ?? {}
  return {
    ...(config !== undefined && { model: config.model }),
    ...(config?.maxTokens !== undefined && { max_tokens: config.maxTokens }),
    ...(config?.temperature !== undefined && { temperature: config.temperature }),
    ...(config?.stop !== undefined && { stop_sequences: config.stop }),
    ...(system !== undefined && { system }),
    ...(tools !== undefined && {
      tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    }),
    messages: [...anthropicMessages(messages, options.strict === true)],
  }
}

function* anthropicMessages(messages: readonly Message[], isStrict: boolean): Generator<AnthropicMessage> {
  let results: AnthropicBlock[] = []
  for (const { role, content } of messages) {
    const [only] = content
    if (content.length === 1 && only !== undefined && isToolResultBlock(only)) {
      results.push(resultBlock(only, isStrict))
      continue
    }
    if (results.length > 0) yield { role: 'user', content: results }
    results = []
    const blocks = content.flatMap(block => blockOf(block, isStrict) ?? [])
    if (blocks.length > 0) yield { role: role === 'assistant' ? 'assistant' : 'user', content: shortest(blocks) }
  }
  if (results.length > 0) yield { role: 'user', content: results }
}

function resultBlock({ toolCallId, content, isError }: ToolResultBlock, isStrict: boolean): AnthropicBlock {
  const blocks = content.flatMap(block => blockOf(block, isStrict) ?? [])
  return {
    type: 'tool_result',
    tool_use_id: toolCallId,
    ...(blocks.length > 0 && { content: shortest(blocks) as JsonValue }),
    ...(isError !== undefined && { is_error: isError }),
  }
}

/** A block as the API has it; undefined for one that it would refuse. */
function blockOf(block: ContentBlock, isStrict: boolean): AnthropicBlock | undefined {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'reasoning':
      // The API takes thinking back with its signature only, which belongs to the adapter and is not in the log.
      return isStrict ? undefined : { type: 'thinking', thinking: block.text, signature: '' }
    case 'image':
      return { type: 'image', source: imageSource(block, isStrict) }
    case 'tool-call':
      return { type: 'tool_use', id: block.id, name: block.name, input: inputOf(block.arguments) }
    case 'tool-result':
      return resultBlock(block, isStrict)
    default:
      return isStrict ? undefined : (block as unknown as AnthropicBlock)
  }
}

function imageSource(block: Extract<ContentBlock, { type: 'image' }>, isStrict: boolean): JsonValue {
  const { mediaType } = block
  if ('data' in block) return { type: 'base64', media_type: mediaType, data: block.data }
  const told: JsonObject = isStrict || mediaTypeOf(block.ref) === mediaType ? {} : { media_type: mediaType }
  return /^https?:/.test(block.ref)
    ? { type: 'url', url: block.ref, ...told }
    : { type: 'file', file_id: block.ref, ...told }
}

/** Arguments as the object that the API wants. */
function inputOf(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Not JSON: models do write such arguments.
  }
  return { [UNPARSED]: text }
}

function shortest(blocks: readonly AnthropicBlock[]): string | readonly AnthropicBlock[] {
  const [only] = blocks
  return blocks.length === 1 && only?.type === 'text' ? (only.text as string) : blocks
}
