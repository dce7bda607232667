import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { viewAt } from '../../src/reading/view-at.js'
import { LogBuilder } from '../support/log-builder.js'

describe('viewAt', () => {
  const session = new Session('s' as Session['id'], new LogBuilder().prompt('Hello').end().events)

  it('is the session as it was, from its beginning to its end', () => {
    expect(viewAt(session, 0).seq).toBe(0)
    expect(viewAt(session, 2).events).toEqual(session.events.slice(0, 2))
    expect(viewAt(session, 3).seq).toBe(3)
  })

  it('says how far the log goes', () => {
    expect(() => viewAt(session, 4)).toThrow('INVALID_BOUNDARY: expected a seq from 0 to 3, found 4 (session "s")')
  })
})
