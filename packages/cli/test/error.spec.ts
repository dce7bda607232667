import { sessionErrorCodes } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { cliErrorCodes, exitCodeOf, exitCodes } from '../src/error.js'

describe('the exit codes', () => {
  it('cover every error code of the project, and are documented', () => {
    const codes = [...Object.keys(sessionErrorCodes), ...Object.keys(cliErrorCodes)].sort()
    expect(Object.keys(exitCodeOf).sort()).toEqual(codes)
    for (const code of Object.values(exitCodeOf)) expect(exitCodes[code]).toBeTypeOf('string')
  })

  it('are never that of success', () => {
    for (const code of Object.values(exitCodeOf)) expect(code).toBeGreaterThan(1)
  })
})
