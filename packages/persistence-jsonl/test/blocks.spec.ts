import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBlocks } from '../src/blocks.js'
import { memorySource } from '../src/source.js'

const text = fc
  .array(fc.constantFrom('a', 'bc', '\n', 'defghij', '\r', 'k'.repeat(30)), { maxLength: 40 })
  .map(parts => parts.join(''))

describe('readBlocks', () => {
  it('gives every byte once, in order, and breaks at line feeds only', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), fc.boolean(), async (content, blockBytes, retain) => {
        const bytes = Buffer.from(content)
        const seen: string[] = []
        let next = 0
        for await (const block of readBlocks(memorySource(bytes), 0, bytes.length, { blockBytes, retain })) {
          expect(block.start).toBe(next)
          expect(block.bytes.length).toBeGreaterThan(0)
          next += block.bytes.length
          if (next < bytes.length) expect(block.bytes.at(-1)).toBe(10)
          seen.push(block.bytes.toString())
        }
        expect(seen.join('')).toBe(content)
      }),
    )
  })

  it('starts and ends where it is told', async () => {
    const source = memorySource(Buffer.from('one\ntwo\nthree\n'))
    const found: string[] = []
    for await (const { bytes } of readBlocks(source, 4, 8)) found.push(bytes.toString())
    expect(found).toEqual(['two\n'])
    for await (const _ of readBlocks(source, 8, 8)) expect.unreachable('there is nothing to read')
  })

  it('leaves earlier blocks untouched when they are to be retained', async () => {
    const bytes = Buffer.from('one\ntwo\nthree\nfour\n')
    const blocks: Buffer[] = []
    for await (const block of readBlocks(memorySource(bytes), 0, bytes.length, { retain: true, blockBytes: 5 })) {
      blocks.push(block.bytes)
    }
    expect(blocks.length).toBeGreaterThan(2)
    expect(Buffer.concat(blocks)).toEqual(bytes)
  })

  it('ends where the file does when that is shorter than it was', async () => {
    const found: string[] = []
    for await (const { bytes } of readBlocks(memorySource(Buffer.from('one\ntw')), 0, 100)) found.push(bytes.toString())
    expect(found.join('')).toBe('one\ntw')
  })

  it('gives a long line of zeros in pieces, and what follows it', async () => {
    const zeros = 20 * 1024 * 1024
    const bytes = Buffer.concat([Buffer.from('one\n'), Buffer.alloc(zeros), Buffer.from('\nlast\n')])
    let largest = 0
    let last = ''
    let total = 0
    for await (const block of readBlocks(memorySource(bytes), 0, bytes.length)) {
      largest = Math.max(largest, block.bytes.length)
      total += block.bytes.length
      last = block.bytes.subarray(-6).toString()
    }
    expect(total).toBe(bytes.length)
    expect(largest).toBeLessThan(bytes.length)
    expect(last).toBe('\nlast\n')
  })

  it('stops with the reason of its signal', async () => {
    const bytes = Buffer.from('one\ntwo\nthree\n')
    const controller = new AbortController()
    const reading = async () => {
      const options = { blockBytes: 4, signal: controller.signal }
      for await (const _ of readBlocks(memorySource(bytes), 0, bytes.length, options))
        controller.abort(new Error('enough'))
    }
    await expect(reading()).rejects.toThrow('enough')
  })
})
