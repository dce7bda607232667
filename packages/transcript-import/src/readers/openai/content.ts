import type { ContentBlock } from '@dsh/llm'
import { imageFromUrl, reasoning, text, toolCall } from '../../content.js'
import type { Fields } from '../../fields.js'

/** What a person or the model said: content in which an empty string says nothing. */
export function readSaid(fields: Fields, key: string): ContentBlock[] {
  return readParts(fields, key).filter(block => block.type !== 'text' || block.text !== '')
}

/** Content that is a string or a list of parts; what cannot be read of it is left. */
export function readParts(fields: Fields, key: string): ContentBlock[] {
  const whole = fields.text(key)
  if (whole !== undefined) return [text(whole)]
  if (fields.peek(key) === null) fields.spend(key)
  return (fields.objects(key) ?? []).flatMap(part => readPart(part) ?? [])
}

function readPart(part: Fields): ContentBlock | undefined {
  const type = part.peek('type')
  const value = type === 'text' ? part.text('text') : type === 'refusal' ? part.text('refusal') : undefined
  if (value !== undefined) {
    part.spend('type')
    return text(value)
  }
  const image = type === 'image_url' ? part.object('image_url') : undefined
  const url = image?.text('url') ?? (type === 'image_url' ? part.text('image_url') : undefined)
  if (url === undefined) return undefined
  part.spend('type')
  return imageFromUrl(url, image?.text('media_type'))
}

/** The reasoning that an answer carries in one of the fields that providers have added for it. */
export function readReasoning(fields: Fields): ContentBlock[] {
  const details = fields.objects('reasoning_details')
  const blocks = (details ?? []).flatMap(detail => {
    const value = detail.peek('type') === 'reasoning.text' ? detail.text('text') : undefined
    if (value === undefined) return []
    detail.spend('type')
    return [reasoning(value)]
  })
  const whole = fields.peek('reasoning_content') ?? fields.peek('reasoning')
  const said = blocks.length > 0 ? blocks : typeof whole === 'string' && whole !== '' ? [reasoning(whole)] : []
  const all = said.map(block => (block.type === 'reasoning' ? block.text : '')).join('')
  for (const key of ['reasoning_content', 'reasoning']) fields.spendKnown(key, new Set([all, '', null]))
  return said
}

/** The tool calls of an answer. @param id for a call without one */
export function readCalls(fields: Fields, id: string): ContentBlock[] {
  const calls = fields.objects('tool_calls') ?? []
  return calls.map((call, index) => {
    const made = call.object('function') ?? call.object('custom')
    call.spend('type')
    const args = made?.take('arguments') ?? made?.take('input')
    return toolCall(call.text('id') || `${id}-${index}`, made?.text('name'), args)
  })
}
