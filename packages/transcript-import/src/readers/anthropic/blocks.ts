import type { ContentBlock, JsonValue } from '@dsh/llm'
import { imageFromUrl, reasoning, text, toolCall } from '../../content.js'
import type { Fields } from '../../fields.js'
import { isRecord, textField } from '../../json-value.js'

/** The one key of the object that stands for arguments which are not JSON of an object. */
export const UNPARSED = '_unparsed'

/**
 * A content block of the Anthropic API. Undefined, with the block left unread, for what has no counterpart: redacted
 * thinking, documents, tools that ran at the provider.
 * @param id for a call without one
 */
export function readBlock(block: Fields, id: string): ContentBlock | undefined {
  switch (block.peek('type')) {
    case 'text': {
      const value = block.text('text')
      return value === undefined ? undefined : typed(block, text(value))
    }
    case 'thinking': {
      const value = block.text('thinking')
      // Thinking that was written elsewhere goes without a signature.
      if (block.peek('signature') === '') block.spend('signature')
      return value === undefined ? undefined : typed(block, reasoning(value))
    }
    case 'tool_use':
      return typed(block, toolCall(block.text('id') || id, block.text('name'), unwrapped(block.take('input'))))
    case 'image':
      return readImage(block)
    default:
      return undefined
  }
}

/** What a `tool_result` block holds. */
export interface ReadResult {
  readonly callId: string
  readonly content: readonly ContentBlock[]
  readonly isError: boolean | undefined
}

/** A `tool_result` block; undefined for one that answers no call. */
export function readResult(block: Fields): ReadResult | undefined {
  const callId = block.text('tool_use_id')
  if (callId === undefined || callId === '') {
    block.giveBack('tool_use_id')
    return undefined
  }
  return typed(block, { callId, content: readContent(block, 'content'), isError: block.flag('is_error') })
}

/** Content that is a string or a list of blocks; what cannot be read of it is left. */
export function readContent(fields: Fields, key: string): ContentBlock[] {
  const whole = fields.text(key)
  if (whole !== undefined) return [text(whole)]
  return (fields.objects(key) ?? []).flatMap((block, index) => readBlock(block, `${key}-${index}`) ?? [])
}

/** The `tool_result` blocks of a message's content, as far as anybody needs them before it is read: the calls. */
export function answeredCalls(content: JsonValue | undefined): string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap(block =>
    isRecord(block) && block.type === 'tool_result' && typeof block.tool_use_id === 'string' ? [block.tool_use_id] : [],
  )
}

/** The arguments that `exportTranscript` has put into an object because they are none. */
function unwrapped(input: JsonValue | undefined): JsonValue | undefined {
  const raw = textField(input, UNPARSED)
  return raw !== undefined && Object.keys(input as object).length === 1 ? raw : input
}

function readImage(block: Fields): ContentBlock | undefined {
  const source = block.object('source')
  const [type, mediaType] = [source?.peek('type'), source?.peek('media_type')]
  if (source === undefined) return undefined
  if (type === 'base64' && typeof mediaType === 'string' && typeof source.peek('data') === 'string') {
    source.spend('type', 'media_type', 'data')
    return typed(block, { type: 'image', mediaType, data: source.peek('data') as string })
  }
  const ref = type === 'url' ? source.text('url') : type === 'file' ? source.text('file_id') : undefined
  if (ref === undefined) return undefined
  source.spend('type')
  return typed(block, imageFromUrl(ref, source.text('media_type')))
}

/** Whether an answer ended at its output limit; the reasons that say no more than that it ended are used up. */
export function isCut(message: Fields): boolean {
  return message.spendKnown('stop_reason', knownStops).peek('stop_reason') === 'max_tokens'
}

const knownStops: ReadonlySet<unknown> = new Set(['end_turn', 'tool_use', 'max_tokens', null])

function typed<T>(block: Fields, value: T): T {
  block.spend('type')
  return value
}
