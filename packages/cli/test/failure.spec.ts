import { SessionError } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { CliError } from '../src/error.js'
import { describeFailure } from '../src/failure.js'

describe('describeFailure', () => {
  it('puts an error of the project into one line that begins with its code', () => {
    const error = new SessionError('SESSION_LOCKED', {
      expected: 'a session that nobody writes',
      found: 'process 7',
      session: 'a',
      file: '/store/a',
    })
    expect(describeFailure(error)).toEqual({
      exitCode: 4,
      line: 'dsh-session: SESSION_LOCKED: expected a session that nobody writes, found process 7 (session "a", file /store/a)',
      json: {
        error: {
          code: 'SESSION_LOCKED',
          message: 'expected a session that nobody writes, found process 7 (session "a", file /store/a)',
          session: 'a',
          file: '/store/a',
        },
      },
    })
  })

  it('says where to go on from a wrong command line and from a damaged session', () => {
    expect(describeFailure(new CliError('USAGE', 'no such option')).line).toBe(
      'dsh-session: USAGE: no such option; see dsh-session --help',
    )
    const corrupt = new SessionError('SESSION_CORRUPT', { expected: 'a', found: 'b', session: 's' })
    expect(describeFailure(corrupt).line).toMatch(/; dsh-session doctor tells more$/)
  })

  it('calls everything without a known code a bug', () => {
    for (const thrown of [
      new TypeError('x is not a function'),
      'x',
      undefined,
      Object.assign(new Error('x'), { code: 'ENOENT' }),
    ]) {
      expect(describeFailure(thrown)).toMatchObject({ exitCode: 70, json: { error: { code: 'INTERNAL' } } })
    }
  })
})
