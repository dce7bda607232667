import { describe, expect, it } from 'vitest'
import { capabilities, defineManifest, requireCapability } from '../src/manifest.js'

describe('a manifest', () => {
  it('says yes or no to every capability, and cannot be changed', () => {
    const manifest = defineManifest('x', 'trash', 'search')
    expect(Object.keys(manifest.capabilities).sort()).toEqual(Object.keys(capabilities).sort())
    expect(
      Object.entries(manifest.capabilities)
        .filter(([, present]) => present)
        .map(([name]) => name),
    ).toEqual(['search', 'trash'])
    expect(Object.isFrozen(manifest) && Object.isFrozen(manifest.capabilities)).toBe(true)
  })

  it('refuses what it lacks, naming both', () => {
    const manifest = defineManifest('x', 'trash')
    expect(() => requireCapability(manifest, 'trash')).not.toThrow()
    const refusal = expect.objectContaining({ code: 'UNSUPPORTED', details: { capability: 'search', backend: 'x' } })
    expect(() => requireCapability(manifest, 'search')).toThrow(refusal)
  })
})
