import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../src/options.js'

describe('resolveOptions', () => {
  it('fills in what is not given and leaves out what it does not know', () => {
    const defaults = { writeDelayMs: 250, closeTimeoutMs: 10_000, packChunks: true, pollMs: 500 }
    expect(resolveOptions()).toEqual(defaults)
    expect(
      resolveOptions({ writeDelayMs: 0, packChunks: false, pollMs: undefined as never, root: '/x' } as object),
    ).toEqual({
      ...defaults,
      writeDelayMs: 0,
      packChunks: false,
    })
  })

  it.each([
    ['writeDelayMs', -1],
    ['writeDelayMs', Number.NaN],
    ['closeTimeoutMs', 0],
    ['closeTimeoutMs', Number.POSITIVE_INFINITY],
    ['pollMs', '500'],
    ['packChunks', 'yes'],
    ['packChunks', null],
  ])('refuses %s: %s', (path, value) => {
    expect(() => resolveOptions({ [path]: value })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', path }))
  })
})
