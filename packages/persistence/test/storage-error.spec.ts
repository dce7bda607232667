import { SessionError, type SessionErrorCode, type SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { closedError, isIndeterminate, isRetriable, storageError } from '../src/storage-error.js'

const id = 's' as SessionId

describe('storageError', () => {
  it('passes errors with a code on and takes any other for a failure of unknown outcome', () => {
    const known = new SessionError('SESSION_LOCKED', { expected: 'a', found: 'b' })
    expect(storageError(known, id)).toBe(known)
    const cause = new TypeError('driver bug')
    const wrapped = storageError(cause, id)
    expect(wrapped).toMatchObject({ code: 'STORAGE_FAILED', found: 'driver bug', session: 's', cause })
    expect(isIndeterminate(wrapped)).toBe(true)
    expect(storageError('text').found).toBe('text')
    expect(storageError(Object.assign(new Error('no entry'), { code: 'ENOENT' })).code).toBe('STORAGE_FAILED')
  })

  it('tells what can be tried again from what is final', () => {
    const retriable = (code: SessionErrorCode) => isRetriable(new SessionError(code, { expected: 'a', found: 'b' }))
    expect(['STORAGE_FAILED', 'SESSION_LOCKED'].every(code => retriable(code as SessionErrorCode))).toBe(true)
    const final = ['OWNERSHIP_LOST', 'SEQ_CONFLICT', 'SESSION_ALREADY_EXISTS', 'SESSION_CORRUPT', 'FORMAT_UNSUPPORTED']
    expect(final.some(code => retriable(code as SessionErrorCode))).toBe(false)
    expect(isIndeterminate(closedError(id))).toBe(false)
  })
})
