import { describe, expect, it } from 'vitest'
import { memorySource, readRange } from '../src/source.js'

describe('readRange', () => {
  it('gives the bytes of a range, or as many as there are', async () => {
    const source = memorySource(Buffer.from('0123456789'))
    expect((await readRange(source, 2, 5)).toString()).toBe('234')
    expect((await readRange(source, 8, 20)).toString()).toBe('89')
    expect(await readRange(source, 20, 30)).toHaveLength(0)
    expect(await readRange(source, 3, 3)).toHaveLength(0)
  })
})
