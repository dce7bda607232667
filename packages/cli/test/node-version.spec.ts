import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { isSupportedNode, OLDEST_NODE } from '../src/node-version.js'

it.each(['22.19.0', '22.21.1', '23.0.0', '24.0.0', '100.1.0', '24.0.0-nightly2025'])('takes Node %s', version => {
  expect(isSupportedNode(version)).toBe(true)
})

it.each(['22.18.9', '22.2.0', '20.20.2', '18.19.1', '9.99.0', ''])('refuses Node %s', version => {
  expect(isSupportedNode(version)).toBe(false)
})

it('names the version that the manifest asks for', () => {
  expect(manifest.engines.node).toContain(`^${OLDEST_NODE}`)
})
