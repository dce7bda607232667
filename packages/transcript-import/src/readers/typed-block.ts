import type { ContentBlock } from '@dsh/llm'
import { reasoning, text } from '../content.js'
import type { Fields } from '../fields.js'

/**
 * A block as several agents write it: a text, thinking, or an image with its MIME type.
 * @param other makes the block of a kind that the agent has for itself, such as its calls
 */
export function readTypedBlock(block: Fields, other: () => ContentBlock | undefined): ContentBlock | undefined {
  const made = madeBlock(block) ?? other()
  if (made !== undefined) block.spend('type')
  return made
}

function madeBlock(block: Fields): ContentBlock | undefined {
  switch (block.peek('type')) {
    case 'text': {
      const value = block.text('text')
      return value === undefined ? undefined : text(value)
    }
    case 'thinking': {
      const value = block.text('thinking')
      return value === undefined ? undefined : reasoning(value)
    }
    case 'image': {
      const [data, mediaType] = [block.text('data'), block.text('mimeType')]
      return data === undefined || !mediaType ? undefined : { type: 'image', mediaType, data }
    }
    default:
      return undefined
  }
}
