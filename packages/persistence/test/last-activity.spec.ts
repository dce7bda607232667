import { lastActivity } from '@dsh/persistence/driver'
import { describe, expect, it } from 'vitest'

describe('lastActivity', () => {
  it.each([
    ['the time of the last event', 5, 9, 9],
    ['the creation before there is an event', 5, undefined, 5],
    ['the creation when all events were inherited, or a clock stepped back', 5, 3, 5],
    ['a time before 1970', -9, -7, -7],
  ])('is %s', (_, createdAt, lastTime, expected) => {
    expect(lastActivity({ createdAt }, lastTime)).toBe(expected)
  })
})
