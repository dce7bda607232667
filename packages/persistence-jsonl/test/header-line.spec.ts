import { describe, expect, it } from 'vitest'
import { formatHeaderLine, parseHeaderLine } from '../src/header-line.js'
import { header } from './support/records.js'

function parse(line: string | Buffer) {
  return parseHeaderLine(Buffer.from(line), '/log')
}

describe('a header line', () => {
  it.each([
    header(),
    header('漢字 \ud83d', { cwd: '/w\u0000', parentSession: 'p' as never, seedLength: 0, delegationDepth: 3 }),
    header('s', { note: { kept: [true] } } as never),
  ])('is read back as it was written', head => {
    const line = formatHeaderLine(head)
    expect(line.indexOf(10)).toBe(line.length - 1)
    expect(line.toString().startsWith('{"type":"session","version":1,"id":')).toBe(true)
    expect(parse(line.subarray(0, -1))).toEqual(head)
  })

  it('may start with a byte order mark and end with a carriage return', () => {
    expect(parse(`\ufeff${formatHeaderLine(header()).toString().trimEnd()}\r`)).toEqual(header())
  })

  it.each([2, 0, 99])('is refused in version %i, and says which way to go', version => {
    const line = JSON.stringify({ type: 'session', version, id: 's', createdAt: 'in another shape' })
    expect(() => parse(line)).toThrow(
      expect.objectContaining({
        code: 'FORMAT_UNSUPPORTED',
        found: `the ${version > 1 ? 'newer' : 'older'} version ${version}`,
        file: '/log',
        details: { version, id: 's' },
      }),
    )
  })

  it.each([
    ['', 'an empty line'],
    ['{', 'JSON'],
    ['[]', 'a list'],
    ['null', 'null'],
    ['"session"', '"session"'],
    [Buffer.from([0xff, 0xfe]), 'valid'],
    ['{"type":"commit"}', 'type "commit"'],
    ['{"type":"session"}', 'undefined'],
    ['{"type":"session","version":"1","id":"s","createdAt":1}', '"1"'],
    ['{"type":"session","version":-1,"id":"s","createdAt":1}', '-1'],
    ['{"type":"session","version":1,"id":"","createdAt":1}', '""'],
    ['{"type":"session","version":1,"id":7,"createdAt":1}', '7'],
    ['{"type":"session","version":1,"id":"s","createdAt":1.5}', '1.5'],
    ['{"type":"session","version":1,"id":"s","createdAt":1,"seedLength":-2}', '-2'],
    ['{"type":"session","version":1,"id":"s","createdAt":1,"cwd":"here"}', '"here"'],
    ['{"type":"session","version":1,"id":"s","createdAt":1,"parentSession":{}}', 'an object'],
    [`{"type":"session","version":1,"id":"s","createdAt":1,"x":${'['.repeat(1_001)}${']'.repeat(1_001)}}`, 'more'],
    [`{"type":${'['.repeat(90_000)}${']'.repeat(90_000)}}`, 'a list'],
  ])('is refused as %j', (line, found) => {
    expect(() => parse(line)).toThrow(
      expect.objectContaining({ code: 'SESSION_CORRUPT', found: expect.stringContaining(found), line: 1, byte: 0 }),
    )
  })
})
