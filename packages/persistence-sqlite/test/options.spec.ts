import { describe, expect, it } from 'vitest'
import { resolveDriverOptions, type SqliteDriverOptions } from '../src/options.js'

describe('resolveDriverOptions', () => {
  it('fills in what was left out', () => {
    expect(resolveDriverOptions({ file: '/a/b.db' })).toEqual({
      file: '/a/b.db',
      durability: 'fsync',
      busyTimeoutMs: 5_000,
      maxBytes: undefined,
    })
  })

  it('takes one of two spellings of a path', () => {
    expect(resolveDriverOptions({ file: '/a/./x/../b.db' }).file).toBe('/a/b.db')
  })

  it.each<[string, Partial<Record<keyof SqliteDriverOptions, unknown>>]>([
    ['file', { file: undefined }],
    ['file', { file: 'relative.db' }],
    ['file', { file: ':memory:' }],
    ['file', { file: '/a\0b' }],
    ['file', { file: 7 }],
    ['durability', { durability: 'always' }],
    ['busyTimeoutMs', { busyTimeoutMs: -1 }],
    ['busyTimeoutMs', { busyTimeoutMs: 0.5 }],
    ['busyTimeoutMs', { busyTimeoutMs: 2 ** 31 }],
    ['maxBytes', { maxBytes: 0 }],
    ['maxBytes', { maxBytes: '1' }],
  ])('refuses a bad %s and names it', (path, bad) => {
    const refusal = expect.objectContaining({ code: 'INVALID_CONFIG', path })
    expect(() => resolveDriverOptions({ file: '/a/b.db', ...bad } as SqliteDriverOptions)).toThrow(refusal)
  })
})
