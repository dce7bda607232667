import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findLastCommit,
  formatCommitLine,
  MAX_COMMIT_LENGTH,
  parseCommitLine,
  startsCommitLine,
} from '../src/commit-line.js'

const natural = fc.maxSafeNat()
const fields = fc.record({ next: natural, time: fc.maxSafeInteger(), bytes: natural, crc: fc.nat(0xffffffff) })

function parse(line: Buffer | string) {
  const bytes = Buffer.from(line)
  return parseCommitLine(bytes, 0, bytes.length)
}

describe('a commit line', () => {
  it('is read back as it was written, with a checksum that covers its own numbers', () => {
    fc.assert(
      fc.property(fields, ({ next, time, bytes, crc }) => {
        const line = formatCommitLine(next, time, bytes, crc)
        expect(line.at(-1)).toBe(10)
        expect(line.length).toBeLessThan(MAX_COMMIT_LENGTH)
        const parsed = parseCommitLine(line, 0, line.length - 1)!
        expect(parsed).toMatchObject({ next, time, bytes })
        expect(parsed.crc).toBe(crc32(line.subarray(0, parsed.covered), crc))
        expect(JSON.parse(line.toString())).toEqual({ type: 'commit', next, time, bytes, crc: parsed.crc })
      }),
    )
  })

  it.each([
    ['', 'nothing'],
    ['{"type":"commit"}', 'fields that are missing'],
    ['{"type":"commit","next":1,"time":2,"bytes":3}', 'a checksum that is missing'],
    ['{"type":"commit","time":2,"next":1,"bytes":3,"crc":4}', 'another order'],
    ['{"type":"commit","next":1,"time":2,"bytes":3,"crc":4} ', 'something behind it'],
    ['{"type":"commit","next":1,"time":2,"bytes":3,"crc":4,"x":5}', 'another field'],
    ['{"type":"commit","next":-1,"time":2,"bytes":3,"crc":4}', 'a negative number of events'],
    ['{"type":"commit","next":1,"time":2,"bytes":-3,"crc":4}', 'a negative length'],
    ['{"type":"commit","next":01,"time":2,"bytes":3,"crc":4}', 'a leading zero'],
    ['{"type":"commit","next":1,"time":-0,"bytes":3,"crc":4}', 'a negative zero'],
    ['{"type":"commit","next":1.5,"time":2,"bytes":3,"crc":4}', 'a fraction'],
    ['{"type":"commit","next":1e3,"time":2,"bytes":3,"crc":4}', 'an exponent'],
    ['{"type":"commit","next":,"time":2,"bytes":3,"crc":4}', 'a number that is missing'],
    ['{"type":"commit","next":9007199254740992,"time":2,"bytes":3,"crc":4}', 'a number that is not exact'],
    ['{"type":"commit","next":1,"time":2,"bytes":3,"crc":4294967296}', 'a checksum that is too large'],
    ['{"type":"commit", "next":1,"time":2,"bytes":3,"crc":4}', 'white space'],
    [`{"type":"commit","next":1,"time":2,"bytes":3,"crc":${'4'.repeat(200)}}`, 'a line that is too long'],
    ['{"type":"commit/x","next":1,"time":2,"bytes":3,"crc":4}', 'the type of an event'],
  ])('is not read from %s: %s', line => {
    expect(parse(line)).toBeUndefined()
  })

  it('is told from rows by its beginning, also where the block ends within it', () => {
    const line = formatCommitLine(1, 2, 3, 4)
    expect(startsCommitLine(line, 0)).toBe(true)
    expect(startsCommitLine(Buffer.from('{"type":"commit/x","seq":1'), 0)).toBe(false)
    for (let length = 0; length < 17; length++) expect(startsCommitLine(line.subarray(0, length), 0)).toBe(false)
  })
})

describe('findLastCommit', () => {
  const first = formatCommitLine(1, 2, 3, 4)
  const second = formatCommitLine(5, 6, 7, 8)
  const row = Buffer.from('{"type":"a/b","seq":1,"time":1,"data":"{\\"type\\":\\"commit\\","}\n')

  it('finds the last whole one, whatever follows it', () => {
    const window = Buffer.concat([first, row, second, row, Buffer.from('{"type":"commit","next":9')])
    const found = findLastCommit(window, true)!
    expect(found.commit.next).toBe(5)
    expect(window.subarray(found.start, found.end)).toEqual(second)
  })

  it('counts one at the start of the window only where a line starts there', () => {
    expect(findLastCommit(first, true)?.commit.next).toBe(1)
    expect(findLastCommit(first, false)).toBeUndefined()
  })

  it('counts neither one inside a line nor one without its line feed', () => {
    expect(findLastCommit(Buffer.concat([Buffer.from('x'), first]), true)).toBeUndefined()
    expect(findLastCommit(first.subarray(0, -1), true)).toBeUndefined()
    expect(findLastCommit(Buffer.alloc(0), true)).toBeUndefined()
  })
})
