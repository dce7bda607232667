/** A term of a text, and where it stands. Positions are UTF-16 code units. */
export interface Token {
  /** What is compared: without case, accents and width. */
  readonly term: string
  readonly start: number
  readonly end: number
  /** Where its first character ends, of the scripts that are cut into pairs of characters; else `end`. */
  readonly firstEnd: number
  /** `last`: the last character of a run, once more and alone, so that every character begins a term. */
  readonly kind: 'word' | 'pair' | 'last'
}

/** What the terms of an index look like. An index of another version is built anew. */
export const TOKENS_VERSION = 1

/** A hash, or a line of base64, needs no more to be found. */
export const LONGEST_TERM = 64

// Scripts that do not put spaces between words, or, like Korean, put more than a word between two of them.
const unspaced =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]'
const letter = '[\\p{L}\\p{N}\\p{M}]'
// The voicing marks of half-width katakana are letters of their own, and belong to the one before.
const character = `[${letter}&&${unspaced}][\\p{M}\\uff9e\\uff9f]*`
const runs = new RegExp(`(?<run>(?:${character})+)|[${letter}--${unspaced}]+`, 'gv')
const characters = new RegExp(character, 'gv')

/**
 * The terms of a text, in order. Words are terms as they are; a run of Chinese, Japanese, Korean or another script
 * without spaces becomes overlapping pairs of characters, so that every word of two characters or more is found inside it.
 * @param text in the normal form C
 */
export function* tokenize(text: string): Generator<Token> {
  for (const match of text.matchAll(runs)) {
    const start = match.index
    const [run] = match
    if (match.groups?.run !== undefined) yield* pairs(run, start)
    else {
      const term = termOf(run)
      const end = start + run.length
      if (term !== '') yield { term, start, end, firstEnd: end, kind: 'word' }
    }
  }
}

function* pairs(run: string, offset: number): Generator<Token> {
  let before: { term: string; start: number; end: number } | undefined
  for (const { 0: character, index } of run.matchAll(characters)) {
    const start = offset + index
    const found = { term: termOf(character), start, end: start + character.length }
    if (found.term === '') continue
    if (before) {
      yield { term: before.term + found.term, start: before.start, end: found.end, firstEnd: before.end, kind: 'pair' }
    }
    before = found
  }
  if (before) yield { ...before, firstEnd: before.end, kind: 'last' }
}

const accents = /[\u0300-\u036f]/g
const others = /[^\p{L}\p{N}\p{M}]/gu

/** Folds case, compatibility forms and accents; nothing that could be taken for a separator or for syntax remains. */
function termOf(text: string): string {
  const isPlain = /^[\x30-\x7a]*$/.test(text)
  const folded = isPlain
    ? text.toLowerCase()
    : text.toLowerCase().normalize('NFKD').replace(accents, '').toLowerCase().replace(others, '')
  return folded.length > LONGEST_TERM ? folded.slice(0, LONGEST_TERM).toWellFormed() : folded
}
