import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RawLine, splitLines } from '../../src/source/lines.js'

async function split(bytes: Uint8Array, pieces: readonly number[] = [], longest = 1_000): Promise<RawLine[]> {
  const cuts = [0, ...pieces.map(piece => piece % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  const chunks = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index]!, end))
  const lines: RawLine[] = []
  for await (const batch of splitLines(chunks, longest)) lines.push(...batch)
  return lines
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (line: RawLine) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(line.bytes)

describe('splitLines', () => {
  it('numbers lines from 1 and tells where they begin', async () => {
    const lines = await split(bytesOf('ab\n\nc'))
    expect(lines.map(line => [line.number, line.byte, textOf(line), line.isTerminated])).toEqual([
      [1, 0, 'ab', true],
      [2, 3, '', true],
      [3, 4, 'c', false],
    ])
  })

  it('leaves out a byte order mark and carriage returns, but counts them', async () => {
    const lines = await split(bytesOf('\ufeffa\r\nb\r\n'))
    expect(lines.map(line => [line.byte, textOf(line), line.length])).toEqual([
      [0, 'a', 5],
      [6, 'b', 2],
    ])
  })

  it('gives no line for an empty file, and none behind the last line feed', async () => {
    expect(await split(bytesOf(''))).toEqual([])
    expect(await split(bytesOf('\n'))).toHaveLength(1)
  })

  it('keeps the beginning of a line that is too long, and goes on behind it', async () => {
    const long = 'x'.repeat(200_000)
    const lines = await split(bytesOf(`${long}\nb\n`), [7, 90_000, 150_000])
    expect(lines[0]).toMatchObject({ isCut: true, length: 200_000 })
    expect(lines[0]!.bytes).toHaveLength(65_536)
    expect(lines[1]).toMatchObject({ byte: 200_001, isCut: false })
    expect(textOf(lines[1]!)).toBe('b')
  })

  it('splits alike however the file is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', '\n', '\r', 'é', '\ufeff'), { maxLength: 40 }),
        fc.array(fc.nat(80), { maxLength: 6 }),
        async (parts, cuts) => {
          const bytes = bytesOf(parts.join(''))
          const naive = parts.join('').split('\n')
          if (naive.at(-1) === '') naive.pop()
          const lines = await split(bytes, cuts)
          expect(lines.map(textOf)).toEqual(
            naive.map((line, index) => {
              const isLast = index === naive.length - 1 && !parts.join('').endsWith('\n')
              const shown = isLast ? line : line.replace(/\r$/, '')
              return index === 0 ? shown.replace(/^\ufeff/, '') : shown
            }),
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})
