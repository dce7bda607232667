import { describe, expect, it } from 'vitest'
import { versionWarning } from '../src/version-warning.js'

describe('versionWarning', () => {
  it.each(['3.51.2', '3.50.9', '3.9.0', '2.99.99', '3.51'])('warns of SQLite %s', version => {
    expect(versionWarning(version)).toContain(`SQLite ${version}`)
  })

  it.each(['3.51.3', '3.51.10', '3.52.0', '4.0.0'])('has nothing to say about SQLite %s', version => {
    expect(versionWarning(version)).toBeUndefined()
  })
})
