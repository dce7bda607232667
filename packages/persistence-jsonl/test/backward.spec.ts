import { describe, expect, it } from 'vitest'
import { BackwardReader } from '../src/backward.js'
import { memorySource } from '../src/source.js'

const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251))

describe('BackwardReader', () => {
  it('gives what is asked for, in few reads when that goes backwards', async () => {
    let reads = 0
    const source = memorySource(bytes)
    const counting = {
      ...source,
      read: (into: Uint8Array, position: number) => {
        reads++
        return source.read(into, position)
      },
    }
    const reader = new BackwardReader(counting, 100)
    for (let end = bytes.length; end > 1_100; end -= 1_000) {
      expect((await reader.slice(end - 1_000, end)).equals(bytes.subarray(end - 1_000, end))).toBe(true)
    }
    expect(reads).toBeLessThan(10)
  })

  it('gives more than a window, and goes forwards too', async () => {
    const reader = new BackwardReader(memorySource(bytes), 0)
    expect((await reader.slice(5, 2_500_000)).equals(bytes.subarray(5, 2_500_000))).toBe(true)
    expect((await reader.slice(2_900_000, 2_900_010)).equals(bytes.subarray(2_900_000, 2_900_010))).toBe(true)
    expect(await reader.slice(7, 7)).toHaveLength(0)
  })
})
