import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { readSummary } from '../../../src/export/reading/summary.js'
import { Redactor } from '../../../src/export/redact.js'
import { message, sessionOf } from '../../support/sessions.js'
import { story } from '../../support/story.js'

const open = new Redactor(undefined)

describe('readSummary', () => {
  it('tells what the session is', () => {
    expect(readSummary(story(), open)).toEqual({
      title: 'Read the file',
      facts: [
        ['Session', 's'],
        ['Created', '2026-01-01 00:00:00 UTC'],
        ['Model', 'p m'],
        ['Log', '16 events'],
        ['Tokens', '1,234 tokens (1,200 in, 30 out, 4 reasoning) in 1 request'],
      ],
    })
  })

  it('tells where it comes from', () => {
    const header = { version: 1 as const, id: 's' as never, createdAt: 0, cwd: '/w', delegationDepth: 2 }
    const parented = { ...header, parentSession: 'p' as never }
    expect(readSummary(new Session('s', [], parented), open)).toEqual({
      title: 's',
      facts: [
        ['Session', 's'],
        ['Directory', '/w'],
        ['Parent', 'p'],
        ['Delegation depth', '2'],
        ['Log', '0 events'],
      ],
    })
  })

  it('shows the hook the whole prompt before it makes a title of it', () => {
    const prompt = `${'a'.repeat(75)} top-secret-key`
    const session = sessionOf(['user/message', message('user', prompt), { surfaceOp: 'append' }])
    const redactor = new Redactor(text => text.replace('top-secret-key', '***'))
    expect(readSummary(session, redactor).title).toBe(`${'a'.repeat(75)} ***`)
  })
})
