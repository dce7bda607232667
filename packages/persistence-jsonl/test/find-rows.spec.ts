import { describe, expect, it } from 'vitest'
import { findRows } from '../src/find-rows.js'
import { event, lines, prompt, toRecords } from './support/records.js'

const [first, second] = lines(toRecords([prompt(1, 'says "{" and \\ and }'), event(2, { type: 'nested/type' })])) as [
  string,
  string,
]

function find(text: string): string[] {
  const bytes = Buffer.from(`line before\n${text}\nline after`)
  return lines(findRows(bytes, 12, bytes.length - 11))
}

describe('findRows', () => {
  it.each([
    ['glued to another', first + second, [first, second]],
    ['behind the beginning of another', first.slice(0, 50) + second, [second]],
    ['behind zeros', `\u0000\u0000${first}`, [first]],
    ['before zeros', `${first}\u0000${second}\u0000`, [first, second]],
    ['behind the beginning of itself', first.slice(0, 20) + first, [first]],
    ['in none', 'nothing {"type":"here', []],
    ['in a broken one', first.slice(1), []],
    ['in a commit line', '{"type":"commit","next":1,"time":2,"bytes":3,"crc":4}', []],
  ])('finds the rows that lie %s', (_, text, expected) => {
    expect(find(text)).toEqual(expected)
  })

  it('gives up on a line that begins a row over and over', () => {
    const bytes = Buffer.from('{"type":"a'.repeat(200_000))
    expect(findRows(bytes, 0, bytes.length)).toEqual([])
  })
})
