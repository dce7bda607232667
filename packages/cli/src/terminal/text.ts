import { styleText } from 'node:util'
import { visible } from './visible.js'
import { endOf, startOf, width } from './width.js'

/** How a stretch of text looks where there are colours. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

/** A stretch of text in one style. The text is whatever a session holds: it becomes safe when it is printed. */
export interface Span {
  readonly text: string
  readonly style: Style
}

/** One line of output, or a part of one, in pieces. */
export type Text = string | Span | readonly Text[]

export function styled(style: Style, text: string): Span {
  return { text, style }
}

export const bold = (text: string) => styled('bold', text)
export const dim = (text: string) => styled('dim', text)
export const red = (text: string) => styled('red', text)
export const green = (text: string) => styled('green', text)
export const yellow = (text: string) => styled('yellow', text)
export const cyan = (text: string) => styled('cyan', text)

/** The pieces of a line, without what would drive a terminal. */
function spansOf(text: Text): (string | Span)[] {
  if (typeof text === 'string') return [visible(text)]
  return 'style' in text ? [{ ...text, text: visible(text.text) }] : text.flatMap(spansOf)
}

/** Columns that a line takes. */
export function textWidth(text: Text): number {
  return spansOf(text).reduce((sum, span) => sum + width(contentOf(span)), 0)
}

/** A line cut to `columns`, with an ellipsis in place of what is missing: at its end, or at its start. */
export function fit(text: Text, columns: number, cut: 'end' | 'start' = 'end'): Text {
  if (textWidth(text) <= columns) return text
  if (columns < 1) return ''
  const spans = spansOf(text)
  const kept: (string | Span)[] = []
  let left = columns - 1
  for (const span of cut === 'end' ? spans : spans.toReversed()) {
    const content = contentOf(span)
    const part = cut === 'end' ? startOf(content, left) : endOf(content, left)
    kept.push(typeof span === 'string' ? part : { ...span, text: part })
    left -= width(part)
    if (part.length < content.length) break
  }
  return cut === 'end' ? [...kept, '…'] : ['…', ...kept.toReversed()]
}

/** A line filled up with spaces to `columns`. */
export function pad(text: Text, columns: number, align: 'left' | 'right' = 'left'): Text {
  const fill = ' '.repeat(Math.max(0, columns - textWidth(text)))
  if (fill === '') return text
  return align === 'left' ? [text, fill] : [fill, text]
}

/** A line as it is written: nothing in it drives the terminal but the colours. */
export function paint(text: Text, colors: boolean): string {
  return spansOf(text)
    .map(span => {
      if (typeof span === 'string') return span
      return colors && span.text !== '' ? styleText(span.style, span.text, { validateStream: false }) : span.text
    })
    .join('')
}

function contentOf(span: string | Span): string {
  return typeof span === 'string' ? span : span.text
}
