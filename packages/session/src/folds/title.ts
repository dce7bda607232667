import { messageText } from '@dsh/llm'
import type { FoldDefinition } from '../fold.js'

const MAX_LENGTH = 80

let graphemes: Intl.Segmenter | undefined

/**
 * A title for the session: the text of the first prompt that a person typed, as one line of at most 80 UTF-16 units,
 * without control characters. Undefined before such a prompt.
 */
export const title: FoldDefinition<string | undefined> = {
  initial: () => undefined,
  types: ['user/message'],
  apply(found, event) {
    if (found !== undefined || event.type !== 'user/message' || event.data.source.kind !== 'user') return found
    return shorten(messageText(event.data)) || undefined
  },
}

function shorten(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  if (line.length <= MAX_LENGTH) return line
  let end = 0
  // Grapheme clusters, so that no emoji or combining sequence is cut in two. Made late: it takes milliseconds.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { index, segment } of graphemes.segment(line.slice(0, MAX_LENGTH * 2))) {
    if (index + segment.length > MAX_LENGTH - 1) break
    end = index + segment.length
  }
  // A first cluster longer than the line is cut after all, only not inside a surrogate pair.
  const cut = line.slice(0, end || MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')
  return `${cut.trimEnd()}…`
}
