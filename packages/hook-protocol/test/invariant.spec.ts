import { recordTurn } from '@dsh/session'
import { SessionInvariant } from '@dsh/session-invariant'
import { SessionStore } from '@dsh/session-store'
import { Context } from 'cordis'
import { expect, it } from 'vitest'
import hookInvariant from '../src/invariant.js'

it('brings its rules to the invariant plugin and takes them away again', async () => {
  const app = new Context()
  await app.plugin(SessionStore)
  await app.plugin(SessionInvariant)
  const rules = app.plugin(hookInvariant)
  await rules
  const session = app.sessions.create()
  recordTurn(session)
  const result = { turn: 1, point: 'Stop', handlerId: 'h', decision: 'pass' } as const
  expect(() => session.append('hook/result', result)).toThrow('INVARIANT')
  session.append('hook/invoked', { turn: 1, point: 'Stop', handlerId: 'h' })
  session.append('hook/result', result)
  expect(() => session.append('turn/end', { turn: 1, reason: { kind: 'rejected', reason: 'No.' } })).toThrow('blocked')
  await rules.dispose()
  session.append('hook/result', result)
  expect(session.seq).toBe(4)
})

it('waits for the invariant plugin', async () => {
  const app = new Context()
  await app.plugin(SessionStore)
  app.plugin(hookInvariant)
  await app.plugin(SessionInvariant)
  await new Promise(resolve => setImmediate(resolve))
  expect(() => app.sessions.create().append('hook/invoked', { turn: 1, point: 'Stop', handlerId: 'h' })).toThrow(
    'open turn',
  )
})
