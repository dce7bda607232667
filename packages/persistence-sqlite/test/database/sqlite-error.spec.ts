import { SessionError } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { databaseError, isBusy, isDamage, isDiskFailure } from '../../src/database/sqlite-error.js'

const failure = (errcode: number, message = 'reason') => Object.assign(new Error(message), { errcode })
const task = { purpose: 'do something' }

describe('databaseError', () => {
  it.each([
    [5, 'SQLITE_BUSY'],
    [8, 'SQLITE_READONLY'],
    [13, 'SQLITE_FULL'],
    [14, 'SQLITE_CANTOPEN'],
    [10 | (5 << 8), 'SQLITE_IOERR'],
    [8 | (4 << 8), 'SQLITE_READONLY'],
    [99, 'SQLite result 99'],
  ])('names result %i as %s', (errcode, sqlite) => {
    expect(databaseError(failure(errcode), '/db', { ...task, session: 's' })).toMatchObject({
      code: 'STORAGE_FAILED',
      expected: 'to do something',
      found: `${sqlite}: reason`,
      file: '/db',
      session: 's',
      details: { sqlite, indeterminate: false },
    })
  })

  it('says where the outcome is unknown', () => {
    expect(databaseError(failure(10), '/db', task, true).details).toMatchObject({ indeterminate: true })
  })

  it.each([11, 26, 11 | (1 << 8)])('takes result %i for damage of the session that was worked on', errcode => {
    expect(databaseError(failure(errcode), '/db', { ...task, session: 's' })).toMatchObject({ code: 'SESSION_CORRUPT' })
    expect(databaseError(failure(errcode), '/db', task)).toMatchObject({ code: 'STORAGE_FAILED' })
  })

  it('leaves an error that has a code alone', () => {
    const error = new SessionError('SEQ_CONFLICT', { expected: 'a', found: 'b' })
    expect(databaseError(error, '/db', task)).toBe(error)
  })

  it('wraps what no database threw', () => {
    for (const thrown of [new TypeError('odd'), 'odd', undefined]) {
      expect(databaseError(thrown, '/db', task)).toMatchObject({
        code: 'STORAGE_FAILED',
        found: String((thrown as Error)?.message ?? thrown),
      })
    }
  })
})

describe('the kinds of failures', () => {
  it('are told by the primary result', () => {
    expect(
      [5, 6, 11, 26, 10, 1].map(code => [isBusy, isDamage, isDiskFailure].map(is => is(failure(code | (3 << 8))))),
    ).toEqual([
      [true, false, false],
      [true, false, false],
      [false, true, false],
      [false, true, false],
      [false, false, true],
      [false, false, false],
    ])
    expect([isBusy, isDamage, isDiskFailure].some(is => is(new Error('x')) || is(undefined) || is('x'))).toBe(false)
  })
})
