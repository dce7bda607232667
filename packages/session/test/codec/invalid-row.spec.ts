import { describe, expect, it } from 'vitest'
import { invalidRow } from '../../src/codec/invalid-row.js'

describe('invalidRow', () => {
  it('is an INVALID_EVENT with only the places that are known', () => {
    expect(invalidRow('a', 'b', { seq: 3, path: 'data' })).toMatchObject({
      code: 'INVALID_EVENT',
      seq: 3,
      path: 'data',
    })
    expect(invalidRow('a', 'b', { seq: undefined })).not.toHaveProperty('seq')
    const cause = new Error('why')
    expect(invalidRow('a', 'b', { cause }).cause).toBe(cause)
  })
})
