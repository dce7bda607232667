import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessionSlug } from '../../src/lock/session-slug.js'

const id = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }),
  fc.constantFrom('..', '.', '/', 'CON', 'x.', ' ', '\0'),
)

describe('sessionSlug', () => {
  it('makes one safe segment of any id, however long', () => {
    fc.assert(
      fc.property(id, fc.integer({ min: 1, max: 500 }), (part, times) => {
        const slug = sessionSlug(part.repeat(times))
        expect(slug).toMatch(/^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/)
        expect(slug.length).toBeLessThanOrEqual(73)
      }),
    )
  })

  it('tells ids apart that a file system could take for one', () => {
    const ids = ['a', 'A', 'é', 'e\u0301', 'a-b/c', 'a/b-c', 'x', 'x.', 'x ', '\ud800', '\udc00', '\ufffd']
    expect(new Set(ids.map(each => sessionSlug(each).toLowerCase())).size).toBe(ids.length)
  })
})
