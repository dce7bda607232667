import { isSessionError, SessionError, sessionErrorCodes } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { locateError } from '../src/error.js'

describe('SessionError', () => {
  it('says what was expected, what was found and where', () => {
    const cause = new Error('disk')
    const place = { session: 's', seq: 3, path: 'data.x', plugin: '@dsh/x', file: 'log', line: 4, byte: 99 }
    const error = new SessionError('NOT_JSON', { expected: 'a', found: 'b', details: { n: 1 }, cause, ...place })
    expect(error.message).toBe(
      'NOT_JSON: expected a, found b (at data.x, plugin @dsh/x, session "s", seq 3, file log, line 4, byte 99)',
    )
    expect(error).toMatchObject({ name: 'SessionError', code: 'NOT_JSON', details: { n: 1 }, cause, ...place })
  })

  it('says no more than it knows', () => {
    const error = new SessionError('OPEN_TURN', { expected: 'a', found: 'b' })
    expect(error.message).toBe('OPEN_TURN: expected a, found b')
    expect('cause' in error || Object.hasOwn(error, 'seq')).toBe(false)
  })
})

describe('isSessionError', () => {
  it('goes by the code, so that a second copy of the package is no stranger', () => {
    const foreign = Object.assign(new Error('x'), { code: 'INVARIANT', expected: 'a', found: 'b' })
    expect(isSessionError(foreign)).toBe(true)
    expect(isSessionError(foreign, 'INVARIANT')).toBe(true)
    expect(isSessionError(foreign, 'NOT_JSON')).toBe(false)
  })

  it('knows other errors from its own', () => {
    const errno = Object.assign(new Error('x'), { code: 'ENOSPC' })
    for (const value of [errno, new Error('x'), null, 'INVARIANT', { code: 'INVARIANT', expected: '' }]) {
      expect(isSessionError(value)).toBe(false)
    }
    expect(isSessionError(Object.assign(errno, { expected: '' }))).toBe(false)
  })
})

describe('locateError', () => {
  it('adds a place and keeps what was known', () => {
    const cause = new Error('x')
    const error = new SessionError('NOT_JSON', { expected: 'a', found: 'b', seq: 1, cause, details: { k: 1 } })
    const located = locateError(error, { session: 's', seq: 2 })
    expect(located).toMatchObject({ code: 'NOT_JSON', session: 's', seq: 1, cause, details: { k: 1 } })
  })

  it('passes strangers on', () => {
    const error = new TypeError('x')
    expect(locateError(error, { session: 's' })).toBe(error)
  })
})

describe('the table of codes', () => {
  it('explains each in a sentence', () => {
    for (const [code, meaning] of Object.entries(sessionErrorCodes)) {
      expect(code).toMatch(/^[A-Z_]+$/)
      expect(meaning).toMatch(/^[A-Z].*\.$/)
    }
  })
})
