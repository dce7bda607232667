import { expect, it } from 'vitest'
import { Backoff } from '../src/backoff.js'

it('doubles from a second to half a minute, and begins again after a success', () => {
  const backoff = new Backoff()
  expect(Array.from({ length: 7 }, () => backoff.next())).toEqual([1, 2, 4, 8, 16, 30, 30].map(s => s * 1_000))
  backoff.reset()
  expect(backoff.next()).toBe(1_000)
})
