import { describe, expect, it } from 'vitest'
import { scripts } from '../../src/shells/scripts.js'
import { run } from '../support/run.js'

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('prints the script for %s', async shell => {
    expect(await run(`completion ${shell}`)).toEqual({ code: 0, stdout: scripts[shell], stderr: '' })
  })

  it('knows no other shell', async () => {
    expect(await run('completion tcsh')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('bash, zsh, fish'),
    })
  })
})
