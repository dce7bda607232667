import type { Context } from 'cordis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApp, stopApp } from '../src/app.ts'
import { openConversation } from '../src/conversation.ts'
import { signal } from './support/harness.ts'
import { answers, fails, hangs, ScriptedProvider } from './support/scripted-provider.ts'
import { directoryWith, temporaryDirectory } from './support/workspace.ts'

async function start(provider: ScriptedProvider, sessions = temporaryDirectory()): Promise<Context> {
  const app = await startApp({ provider, directory: directoryWith({}), sessions, invariants: 'throw' })
  onTestFinished(() => app.fiber.dispose())
  return app
}

const anew = { kind: 'new', id: 's', cwd: import.meta.dirname } as const

describe('openConversation', () => {
  it('leaves the session closed and durable behind, in the middle of a turn too', async () => {
    const sessions = temporaryDirectory()
    const { promise, reached } = signal()
    const app = await start(new ScriptedProvider(hangs(reached)), sessions)
    const { loop, session, close } = await openConversation(app, anew)
    const turn = loop.prompt('Go.')
    await promise
    await close()
    expect(await turn).toEqual({ kind: 'disposed' })
    expect(app.sessions.list()).toEqual([])
    await stopApp(app)

    const again = await start(new ScriptedProvider(answers('Here.')), sessions)
    const resumed = await openConversation(again, { kind: 'resume', id: 's' })
    expect(resumed.closers).toEqual([])
    expect(resumed.session.events).toEqual(session.events)
    expect(await resumed.loop.retry()).toEqual({ kind: 'completed' })
    expect([...resumed.session].findLast(event => event.type === 'request/header')!.data).toMatchObject({
      reason: 'resume',
    })
  })

  it('opens a session once at a time, and again when it was closed', async () => {
    const sessions = temporaryDirectory()
    const app = await start(new ScriptedProvider(answers('one')), sessions)
    const first = await openConversation(app, anew)
    await first.loop.prompt('Go.')
    await expect(openConversation(app, anew)).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
    const other = await start(new ScriptedProvider(), sessions)
    await expect(openConversation(other, { kind: 'resume', id: 's' })).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    await first.close()
    await stopApp(app)
    const second = await openConversation(other, { kind: 'resume', id: 's' })
    expect(second.session.seq).toBe(first.session.seq)
  })

  it('forks behind a turn that has ended, and at no other place', async () => {
    const app = await start(new ScriptedProvider(answers('one'), fails({ status: 400 })))
    const { loop, session } = await openConversation(app, anew)
    await loop.prompt('first')
    const { seq } = session
    await loop.prompt('second')
    const child = await openConversation(app, { kind: 'fork', source: session, turn: 1, id: 'child' })
    expect(child.session.seq).toBe(seq)
    expect(child.session.header).toMatchObject({ parentSession: 's', seedLength: seq, cwd: import.meta.dirname })
    await expect(openConversation(app, { kind: 'fork', source: session, turn: 3 })).rejects.toMatchObject({
      code: 'INVALID_BOUNDARY',
      message: expect.stringContaining('expected a turn from 1 to 2 that has ended, found turn 3'),
    })
    expect(app.sessions.list().map(({ id }) => id)).toEqual(['s', 'child'])
  })

  it('leaves nothing behind when it cannot be opened', async () => {
    const app = await start(new ScriptedProvider())
    await expect(openConversation(app, { kind: 'resume', id: 'nobody' })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
    const { session } = await openConversation(app, anew)
    await expect(openConversation(app, { kind: 'fork', source: session, turn: 1 })).rejects.toThrow(
      'expected a turn that has ended',
    )
    expect(app.sessions.list()).toEqual([session])
  })
})
