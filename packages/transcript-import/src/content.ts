import type { CallId, ContentBlock, JsonValue } from '@dsh/llm'

/** One text block. */
export function text(value: string): ContentBlock {
  return { type: 'text', text: value }
}

/** One reasoning block. */
export function reasoning(value: string): ContentBlock {
  return { type: 'reasoning', text: value }
}

/** A tool call; what a source leaves out gets a name that says so. */
export function toolCall(id: string, name: string | undefined, args: JsonValue | undefined): ContentBlock {
  return { type: 'tool-call', id: id as CallId, name: name || 'unknown', arguments: argumentsText(args) }
}

/** Arguments as JSON text: as the model wrote them where the source has the text. */
export function argumentsText(args: JsonValue | undefined): string {
  if (typeof args === 'string') return args
  return args === undefined || args === null ? '{}' : JSON.stringify(args)
}

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.-]+)*;base64,(.*)$/s

/**
 * An image behind a URL; a data URL holds it inline.
 * @param mediaType where the source tells it; else the name of the file does, or `image/*` stands for it
 */
export function imageFromUrl(url: string, mediaType = mediaTypeOf(url)): ContentBlock {
  const [, type, data] = dataUrl.exec(url) ?? []
  if (type !== undefined && data !== undefined) return { type: 'image', mediaType: type, data }
  return { type: 'image', mediaType, ref: url }
}

const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
}

/** The media type that the name of an image's file tells. */
export function mediaTypeOf(url: string): string {
  const [, extension = ''] = /\.(\w+)(?:[?#].*)?$/.exec(url) ?? []
  return imageTypes[extension.toLowerCase()] ?? 'image/*'
}
