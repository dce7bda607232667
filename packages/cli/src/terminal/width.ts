import { createRequire } from 'node:module'
import type stringWidth from 'string-width'
import { isPlain } from './visible.js'

let measure: typeof stringWidth | undefined

/** Columns that safe text takes on a terminal. */
export function width(text: string): number {
  if (isPlain(text)) return text.length
  // Its tables take longer to load than all else together, and most output is plain.
  measure ??= (createRequire(import.meta.url)('string-width') as { default: typeof stringWidth }).default
  return measure(text, { countAnsiEscapeCodes: true })
}

/** The longest start of `text`, in whole characters as a person sees them, that takes at most `columns`. */
export function startOf(text: string, columns: number): string {
  if (isPlain(text)) return text.slice(0, Math.max(0, columns))
  let used = 0
  let end = 0
  for (const { segment, index } of segmenter().segment(text)) {
    used += width(segment)
    if (used > columns) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

/** The longest end of `text` that takes at most `columns`. */
export function endOf(text: string, columns: number): string {
  if (isPlain(text)) return columns <= 0 ? '' : text.slice(-columns)
  const segments = Array.from(segmenter().segment(text))
  let used = 0
  let start = text.length
  for (const { segment, index } of segments.reverse()) {
    used += width(segment)
    if (used > columns) break
    start = index
  }
  return text.slice(start)
}

let graphemes: Intl.Segmenter | undefined

function segmenter(): Intl.Segmenter {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return graphemes
}
