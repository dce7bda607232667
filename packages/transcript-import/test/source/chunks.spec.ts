import { describe, expect, it } from 'vitest'
import { type Chunks, openSource } from '../../src/source/chunks.js'

async function text(chunks: Chunks): Promise<string> {
  let whole = ''
  for await (const chunk of chunks) whole += new TextDecoder().decode(chunk)
  return whole
}

describe('openSource', () => {
  it('reads text and bytes as often as asked', async () => {
    for (const open of [openSource('häl'), openSource(new TextEncoder().encode('häl'))]) {
      expect([await text(open()), await text(open())]).toEqual(['häl', 'häl'])
    }
  })

  it('keeps the chunks of an iterable that can be read only once', async () => {
    let reads = 0
    async function* once() {
      reads++
      for (const part of ['a', 'b', 'c']) yield new TextEncoder().encode(part)
    }
    const open = openSource(once())
    const first = open()[Symbol.asyncIterator as never] as unknown
    expect(first).toBeTypeOf('function')
    for await (const chunk of open() as AsyncIterable<Uint8Array>) {
      expect(new TextDecoder().decode(chunk)).toBe('a')
      break
    }
    expect([await text(open()), await text(open())]).toEqual(['abc', 'abc'])
    expect(reads).toBe(1)
  })

  it('opens a file anew through the function that is passed', async () => {
    let opened = 0
    const open = openSource(() => {
      opened++
      return [new TextEncoder().encode('x')]
    })
    await text(open())
    await text(open())
    expect(opened).toBe(2)
  })
})
