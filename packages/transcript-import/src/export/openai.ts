import type { ContentBlock, JsonObject, JsonValue, Message, ToolCallBlock } from '@dsh/llm'
import { isToolResultBlock } from '@dsh/llm'
import type { SessionView } from '@dsh/session'
import { mediaTypeOf } from '../content.js'
import type { ExportOptions } from './options.js'
import { providerParts } from './provider-parts.js'

/** A message of the OpenAI chat API, as plain JSON. */
export type OpenAiMessage = { readonly role: string; readonly [key: string]: JsonValue }

/** What a session gives for a request to the OpenAI chat API; the fields that apply are present. */
export interface OpenAiRequest {
  readonly model?: string
  readonly max_tokens?: number
  readonly temperature?: number
  readonly stop?: readonly string[]
  readonly reasoning_effort?: string
  readonly tools?: readonly JsonObject[]
  readonly messages: readonly OpenAiMessage[]
}

/**
 * The history that the model sees as a request to the OpenAI chat API; the system prompt is the first message. The API
 * keeps the text of an answer apart from its calls, so what an answer says behind a call comes before it.
 */
export function openaiRequest(view: SessionView, options: ExportOptions = {}): OpenAiRequest {
  const { header, messages } = providerParts(view, options)
  const { config, system, tools } = header ?? {}
  const listed = messages.flatMap(message => messageOf(message, options.strict === true) ?? [])
  return {
    ...(config !== undefined && { model: config.model }),
    ...(config?.maxTokens !== undefined && { max_tokens: config.maxTokens }),
    ...(config?.temperature !== undefined && { temperature: config.temperature }),
    ...(config?.stop !== undefined && { stop: config.stop }),
    ...(config?.reasoningEffort !== undefined && { reasoning_effort: config.reasoningEffort }),
    ...(tools !== undefined && {
      tools: tools.map(tool => ({ type: 'function', function: tool as unknown as JsonObject })),
    }),
    messages: system === undefined ? listed : [{ role: 'system', content: system }, ...listed],
  }
}

function messageOf({ role, content }: Message, isStrict: boolean): OpenAiMessage | undefined {
  const [only] = content
  if (content.length === 1 && only !== undefined && isToolResultBlock(only)) {
    const content = parts(only.content, isStrict) ?? (isStrict ? '' : [])
    const answered = { role: 'tool', tool_call_id: only.toolCallId as string, content }
    return isStrict || only.isError === undefined ? answered : { ...answered, is_error: only.isError }
  }
  return role === 'assistant' ? answer(content, isStrict) : { role, content: parts(content, isStrict) ?? '' }
}

function answer(content: readonly ContentBlock[], isStrict: boolean): OpenAiMessage | undefined {
  const calls = content.filter((block): block is ToolCallBlock => block.type === 'tool-call')
  const said = content.filter(block => block.type !== 'tool-call' && block.type !== 'reasoning')
  const thoughts = content.flatMap(block => (block.type === 'reasoning' ? [block.text] : []))
  return {
    role: 'assistant',
    content: parts(said, isStrict) ?? null,
    ...(!isStrict && reasoningFields(thoughts)),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, arguments: args }) => ({
        id,
        type: 'function',
        function: { name, arguments: args },
      })),
    }),
  }
}

/** One field holds one text; several blocks need the list that some providers have for them. */
function reasoningFields(thoughts: readonly string[]): { readonly [key: string]: JsonValue } {
  if (thoughts.length === 0) return {}
  if (thoughts.length === 1) return { reasoning_content: thoughts[0]! }
  return { reasoning_details: thoughts.map(text => ({ type: 'reasoning.text', text })) }
}

/** Content as a string where it is one text, else as parts; undefined where there is none. */
function parts(content: readonly ContentBlock[], isStrict: boolean): JsonValue | undefined {
  const [only] = content
  if (content.length === 1 && only?.type === 'text') return only.text
  const list = content.flatMap(block => part(block, isStrict) ?? [])
  return list.length === 0 ? undefined : list
}

function part(block: ContentBlock, isStrict: boolean): JsonValue | undefined {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image': {
      const { mediaType } = block
      if ('data' in block) return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${block.data}` } }
      const told: JsonObject = isStrict || mediaTypeOf(block.ref) === mediaType ? {} : { media_type: mediaType }
      return { type: 'image_url', image_url: { url: block.ref, ...told } }
    }
    default:
      return isStrict ? undefined : (block as unknown as JsonValue)
  }
}
