import type { JsonValue } from '@dsh/llm'
import { isRecord, type JsonRecord, textField } from '../../json-value.js'
import type { AdaptedEvent } from '../event-log/source-event.js'

const messageTypes: ReadonlySet<string> = new Set(['user/message', 'steering/message', 'tool/result'])

/** Images of these logs name an attachment that the host keeps; they become images by reference. */
export function withImages(event: AdaptedEvent): AdaptedEvent {
  if (!messageTypes.has(event.type)) return event
  const images: JsonValue[] = []
  const data = replaceImages(event.data, images)
  return images.length === 0 ? event : { ...event, data, left: { ...event.left, images } }
}

function replaceImages(value: JsonValue, images: JsonValue[]): JsonValue {
  if (Array.isArray(value)) return value.map(item => replaceImages(item, images))
  if (!isRecord(value)) return value
  if (value.type === 'image') return replaceImage(value, images)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'content' || key === 'message' ? replaceImages(item, images) : item,
    ]),
  )
}

function replaceImage(block: JsonRecord, images: JsonValue[]): JsonValue {
  const ref = textField(block.attachment, 'attachmentId')
  if (ref === undefined) return block
  const { attachment, ...others } = block
  images.push(attachment!)
  return { ...others, mediaType: textField(attachment, 'mediaType') ?? 'image/*', ref }
}
