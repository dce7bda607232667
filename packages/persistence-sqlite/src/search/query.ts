import { SessionError } from '@dsh/session'
import { tokenize } from './tokens.js'

/** Terms that follow each other; of the last one only the beginning has to be there where `isPrefix`. */
export interface Phrase {
  readonly terms: readonly string[]
  readonly isPrefix: boolean
}

/** What a text must hold to be found: one phrase of each group, and none of the excluded ones. */
export interface SearchQuery {
  readonly groups: readonly (readonly Phrase[])[]
  readonly excluded: readonly Phrase[]
}

const LONGEST_QUERY = 2_000
const MOST_PHRASES = 50

interface Item {
  readonly text: string
  readonly isQuoted: boolean
  readonly isExcluded: boolean
  readonly at: number
}

/**
 * Reads a query: words that all must occur, `"quoted phrases"`, beginnings of words as `begin*`, alternatives as `one OR
 * other`, and `-excluded` ones. Any other character separates words.
 * @throws INVALID_CONFIG saying what is wrong with the query and where
 */
export function parseQuery(query: string): SearchQuery {
  if (query.length > LONGEST_QUERY) {
    throw invalid(`a query of at most ${LONGEST_QUERY} characters`, `one of ${query.length}`)
  }
  const groups: Phrase[][] = []
  const excluded: Phrase[] = []
  let joins = false
  let canJoin = false
  for (const item of itemsOf(query)) {
    if (item.text === 'OR' && !item.isQuoted && !item.isExcluded) {
      if (!canJoin) throw invalid('a word before OR', `OR at character ${item.at + 1}`)
      joins = true
      canJoin = false
      continue
    }
    const phrase = phraseOf(item)
    if (item.isExcluded) {
      if (joins) throw invalid('a word after OR', `an exclusion at character ${item.at + 1}`)
      if (phrase) excluded.push(phrase)
      canJoin = false
    } else if (phrase) {
      if (joins) groups[groups.length - 1]!.push(phrase)
      else groups.push([phrase])
      joins = false
      canJoin = true
    }
  }
  if (joins) throw invalid('a word after OR', 'the end of the query')
  if (groups.length === 0) throw invalid('a word to look for, with a letter or a digit', JSON.stringify(query))
  const count = groups.flat().length + excluded.length
  if (count > MOST_PHRASES) throw invalid(`at most ${MOST_PHRASES} words and phrases`, String(count))
  return { groups, excluded }
}

/** The query in the language of FTS5. Terms hold letters, digits and marks only, so that none of them is syntax. */
export function formatQuery({ groups, excluded }: SearchQuery): string {
  const wanted = groups.map(phrases => `(${phrases.map(formatPhrase).join(' OR ')})`).join(' AND ')
  return excluded.length === 0 ? wanted : `(${wanted}) NOT (${excluded.map(formatPhrase).join(' OR ')})`
}

function formatPhrase({ terms, isPrefix }: Phrase): string {
  return `"${terms.join(' ')}"${isPrefix ? ' *' : ''}`
}

function* itemsOf(query: string): Generator<Item> {
  for (let at = 0; at < query.length; ) {
    if (/\s/.test(query[at]!)) {
      at++
      continue
    }
    const start = at
    const isExcluded = query[at] === '-'
    if (isExcluded) at++
    const isQuoted = query[at] === '"'
    const end = isQuoted ? query.indexOf('"', at + 1) : endOfWord(query, at)
    if (end < 0) throw invalid('a closing quotation mark', `none after character ${at + 1}`)
    const text = query.slice(isQuoted ? at + 1 : at, end)
    at = isQuoted ? end + 1 : end
    const isPrefix = isQuoted && query[at] === '*'
    if (isPrefix) at++
    yield { text: isPrefix ? `${text}*` : text, isQuoted, isExcluded, at: start }
  }
}

function endOfWord(query: string, start: number): number {
  const length = query.slice(start).search(/[\s"]/)
  return length < 0 ? query.length : start + length
}

function phraseOf({ text }: Item): Phrase | undefined {
  const tokens = [...tokenize(text.normalize('NFC'))]
  const last = tokens.at(-1)
  if (!last) return undefined
  let isPrefix = text.endsWith('*') && last.kind === 'word'
  if (last.kind === 'last') {
    // The run may go on in the text, where its last character then stands in a pair.
    if (tokens.at(-2)?.kind === 'pair' && tokens.at(-2)!.end === last.end) tokens.pop()
    else isPrefix = true
  }
  return { terms: tokens.map(({ term }) => term), isPrefix }
}

function invalid(expected: string, found: string): SessionError {
  return new SessionError('INVALID_CONFIG', { expected, found, path: 'query' })
}
