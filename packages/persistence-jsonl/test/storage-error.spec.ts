import { SessionError } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { isErrno, outcomeUnknown, storageFailed } from '../src/storage-error.js'

const cause = Object.assign(new Error("ENOSPC: no space left on device, write '/log'"), { code: 'ENOSPC' })
const place = { file: '/log', session: 's' }

describe('storageFailed', () => {
  it('says what was being done, what the system said and where', () => {
    const error = storageFailed('append to the log', cause, place)
    expect(error).toMatchObject({
      code: 'STORAGE_FAILED',
      ...place,
      cause,
      details: { indeterminate: false, errno: 'ENOSPC' },
    })
    expect(error.message).toContain('expected to append to the log, found ENOSPC: no space left on device')
  })

  it('leaves an error that has a code as it is', () => {
    const coded = new SessionError('SESSION_LOCKED', { expected: 'x', found: 'y' })
    expect(storageFailed('open', coded, place)).toBe(coded)
  })

  it('takes anything that was thrown', () => {
    expect(storageFailed('open', 'a text', place).found).toBe('a text')
    expect(storageFailed('open', undefined, place).found).toBe('undefined')
  })
})

describe('outcomeUnknown', () => {
  it('says that the operation may have been carried out', () => {
    const coded = new SessionError('SESSION_LOCKED', { expected: 'x', found: 'y' })
    for (const each of [cause, coded]) {
      expect(outcomeUnknown('open', each, place)).toMatchObject({
        code: 'STORAGE_FAILED',
        details: { indeterminate: true },
      })
    }
  })
})

describe('isErrno', () => {
  it('looks at the code of an error', () => {
    expect(isErrno(cause, 'EIO', 'ENOSPC')).toBe(true)
    expect(isErrno(cause, 'EIO')).toBe(false)
    expect(isErrno({ code: 'EIO' }, 'EIO')).toBe(false)
  })
})
