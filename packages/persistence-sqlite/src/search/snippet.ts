import type { Phrase, SearchQuery } from './query.js'
import type { Token } from './tokens.js'
import { tokenize } from './tokens.js'

/** A part of a text around what was found in it. */
export interface Snippet {
  readonly snippet: string
  /** Start and length of each find in `snippet`, in UTF-16 code units. */
  readonly matches: readonly (readonly [start: number, length: number])[]
}

interface Find {
  readonly start: number
  readonly end: number
  readonly phrase: Phrase
}

const LENGTH = 160
/** How much of the snippet stands before the first find. */
const LEAD = 40
const CUT = '…'

/**
 * The stretch of a text with the most different phrases of a query, the first of several.
 * @param text in the normal form C
 */
export function makeSnippet(text: string, { groups }: SearchQuery): Snippet {
  const finds = findPhrases(text, groups.flat())
  const [from, to] = stretch(text, bestFind(finds))
  const prefix = from > 0 ? CUT : ''
  const shift = prefix.length - from
  const matches: [number, number][] = []
  let end = 0
  for (const find of finds) {
    if (find.start < from || find.end > to) continue
    const start = Math.max(find.start, end)
    if (start >= find.end) continue
    matches.push([start + shift, find.end - start])
    end = find.end
  }
  return { snippet: prefix + text.slice(from, to) + (to < text.length ? CUT : ''), matches }
}

function findPhrases(text: string, phrases: readonly Phrase[]): Find[] {
  const tokens = [...tokenize(text)]
  const finds: Find[] = []
  for (const [index, first] of tokens.entries()) {
    for (const phrase of phrases) {
      const last = matchAt(tokens, index, phrase)
      if (!last) continue
      // One character was looked for, and the pair that it begins was found.
      const end = phrase.isPrefix && last.kind === 'pair' ? last.firstEnd : last.end
      finds.push({ start: first.start, end, phrase })
    }
  }
  return finds
}

/** The last token of the phrase, if it starts at `index`. */
function matchAt(tokens: readonly Token[], index: number, { terms, isPrefix }: Phrase): Token | undefined {
  for (const [offset, term] of terms.entries()) {
    const found = tokens[index + offset]?.term
    const isLast = offset === terms.length - 1
    if (isLast && isPrefix ? !found?.startsWith(term) : found !== term) return undefined
  }
  return tokens[index + terms.length - 1]
}

/** The find after which the most different phrases follow within a snippet. */
function bestFind(finds: readonly Find[]): Find | undefined {
  let best: Find | undefined
  let most = 0
  for (const [index, find] of finds.entries()) {
    const near = new Set<Phrase>()
    for (let next = index; next < finds.length && finds[next]!.end - find.start <= LENGTH - LEAD; next++) {
      near.add(finds[next]!.phrase)
    }
    if (best && near.size <= most) continue
    most = near.size
    best = find
  }
  return best
}

/** Where a snippet that shows a find begins and ends: between words if possible, never inside a character. */
function stretch(text: string, { start, end } = { start: 0, end: 0 }): readonly [number, number] {
  let from = Math.max(0, Math.min(start - LEAD, text.length - LENGTH))
  if (from > 0) {
    const space = text.slice(from, start).search(/\s\S/)
    from += space < 0 ? 0 : space + 1
    if (isInsideCharacter(text, from)) from++
  }
  let to = Math.min(text.length, Math.max(from + LENGTH, end))
  if (isInsideCharacter(text, to)) to--
  return [from, to]
}

function isInsideCharacter(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1))
}
