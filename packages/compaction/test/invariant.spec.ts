import { SessionInvariant } from '@dsh/session-invariant'
import { SessionStore } from '@dsh/session-store'
import { Context } from 'cordis'
import { expect, it } from 'vitest'
import { compact, oldestRange } from '../src/index.js'
import compactionInvariant from '../src/invariant.js'
import { outlineOf, recordTurns } from './support/conversation.js'

it('brings its rules to the invariant plugin, which a compaction keeps', async () => {
  const app = new Context()
  await app.plugin(SessionStore)
  await app.plugin(SessionInvariant)
  const rules = app.plugin(compactionInvariant)
  await rules
  const session = app.sessions.create()
  recordTurns(session, 2)
  await compact(session, oldestRange(session)!, () => ({ summary: 'Two turns.' }))
  expect(outlineOf(session)).toBe('summary')
  const stray = { start: 0, end: 0, outcome: { kind: 'aborted' } } as const
  expect(() => session.append('compact/end', stray)).toThrow('INVARIANT')
  await rules.dispose()
  session.append('compact/end', stray)
})
