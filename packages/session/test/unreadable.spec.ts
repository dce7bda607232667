import { describe, expect, it } from 'vitest'
import { SessionError } from '../src/error.js'
import { unreadable } from '../src/unreadable.js'

describe('unreadable', () => {
  it('is a NOT_JSON that says what could not be read, and keeps what was thrown', () => {
    const cause = Object.create(null)
    const error = unreadable('a seed', cause, { path: 'seed', seq: 3 })
    expect(error).toMatchObject({ code: 'NOT_JSON', expected: 'a seed that can be read', path: 'seed', seq: 3 })
    expect(error.cause).toBe(cause)
  })

  it('passes on what a check has found', () => {
    const found = new SessionError('SURFACE_CONFLICT', { expected: 'a', found: 'b' })
    expect(unreadable('a seed', found, { path: 'seed' })).toBe(found)
  })
})
