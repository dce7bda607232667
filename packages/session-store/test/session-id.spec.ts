import { afterEach, describe, expect, it, vi } from 'vitest'
import { mintSessionId } from '../src/session-id.js'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('mintSessionId', () => {
  it('mints distinct UUIDs', () => {
    const ids = Array.from({ length: 100 }, () => mintSessionId(() => false))
    expect(new Set(ids).size).toBe(100)
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('passes over ids that are taken', () => {
    const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const
    vi.spyOn(crypto, 'randomUUID').mockReturnValueOnce(first).mockReturnValueOnce(first).mockReturnValueOnce(second)
    expect(mintSessionId(id => id === first)).toBe(second)
  })
})
