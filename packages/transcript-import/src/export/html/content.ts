import type { ContentBlock } from '@dsh/llm'
import { beginning, plural } from '../reading/words.js'
import { html, type Markup } from './escape.js'

/** From where on text is folded. */
const LONGEST_OPEN_LINES = 14
const LONGEST_OPEN_TEXT = 1_500
/** How much of folded text its line shows. */
const SHOWN = 100

/** Blocks of what a person or the model said. */
export function contentMarkup(content: readonly ContentBlock[]): Markup[] {
  return content.map(block => blockMarkup(block, html`<p class="text" dir="auto">${textOf(block)}</p>`))
}

/** Blocks of what a tool put in: text is folded where it is long. */
export function contextMarkup(content: readonly ContentBlock[]): Markup[] {
  return content.map(block => {
    const text = textOf(block)
    return blockMarkup(block, folded(text, html`<p class="text" dir="auto">${text}</p>`))
  })
}

function textOf(block: ContentBlock): string {
  return block.type === 'text' ? block.text : ''
}

function blockMarkup(block: ContentBlock, text: Markup): Markup {
  switch (block.type) {
    case 'text':
      return text
    case 'reasoning':
      return html`<details class="reasoning"><summary>Reasoning</summary><p class="text" dir="auto">${block.text}</p></details>`
    case 'image':
      return imageMarkup(block)
    default:
      return preformatted(JSON.stringify(block, null, 2), 'output')
  }
}

/** What a tool answered: text as it came, folded where it is long. */
export function outputMarkup(content: readonly ContentBlock[]): Markup[] {
  return content.map(block => {
    if (block.type === 'text') return preformatted(block.text, 'output')
    return block.type === 'image' ? imageMarkup(block) : preformatted(JSON.stringify(block, null, 2), 'output')
  })
}

/** Text in its own lines, folded where it is long. */
export function preformatted(text: string, name: string): Markup {
  return folded(text, html`<pre class="${name}" dir="auto">${text}</pre>`)
}

function folded(text: string, shown: Markup): Markup {
  const lines = text.split('\n')
  if (lines.length <= LONGEST_OPEN_LINES && text.length <= LONGEST_OPEN_TEXT) return shown
  const first = lines.find(line => line.trim() !== '') ?? ''
  const start = first.length > SHOWN ? `${beginning(first, SHOWN)}…` : first
  const size = `${plural(lines.length, 'line')}, ${plural(text.length, 'character')}`
  return html`<details><summary>${start} <small>(${size})</small></summary>${shown}</details>`
}

function imageMarkup(block: Extract<ContentBlock, { type: 'image' }>): Markup {
  if ('ref' in block) return html`<p class="mark">Image ${block.mediaType} at ${block.ref}</p>`
  const isSafe = /^image\/[\w.+-]+$/.test(block.mediaType) && /^[A-Za-z0-9+/=\s]*$/.test(block.data)
  if (!isSafe) return html`<p class="mark">Image ${block.mediaType} that cannot be shown</p>`
  return html`<img alt="Image ${block.mediaType}" src="data:${block.mediaType};base64,${block.data}">`
}
