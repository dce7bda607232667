import { SessionError, type SessionErrorInit } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { errorOfImage, imageOfError } from '../src/error-image.js'

describe('imageOfError', () => {
  it.each<SessionErrorInit>([
    { expected: 'a', found: 'b' },
    {
      expected: 'a',
      found: 'b',
      session: '\ud800',
      seq: 0,
      path: 'x',
      file: '/f',
      line: 1,
      byte: 2,
      details: { n: 1 },
    },
  ])('carries an error over a border that keeps only data', init => {
    const error = new SessionError('SEQ_CONFLICT', init)
    const copy = errorOfImage(structuredClone(imageOfError(error)))
    expect(copy).toBeInstanceOf(SessionError)
    expect(copy.message).toBe(error.message)
    expect({ ...copy }).toEqual({ ...error })
  })

  it('makes a storage failure whose outcome is unknown of anything else', () => {
    for (const thrown of [new Error('odd'), 'odd']) {
      expect(imageOfError(thrown)).toMatchObject({
        code: 'STORAGE_FAILED',
        found: 'odd',
        details: { indeterminate: true },
      })
    }
  })
})
