import { DatabaseSync } from 'node:sqlite'
import { userMessage } from '@dsh/llm'
import type { Session } from '@dsh/session'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jsonl, sqlite } from './backends.js'

function say(session: Session, text: string): void {
  session.append('user/message', userMessage(text), { surfaceOp: 'append' })
}

/** One store that two backends mirror, each in a context that does not see the other. */
async function mirrored(more: Parameters<typeof sqlite>[0] = {}) {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  const mount = sqlite({ busyTimeoutMs: 30_000, ...more })
  const files = await jsonl()(ctx.isolate('sessionPersistence'))
  const database = await mount(ctx.isolate('sessionPersistence'))
  expect(ctx.get('sessionPersistence')).toBeUndefined()
  onTestFinished(() => ctx.fiber.dispose())
  return { ctx, file: mount.file, files: files.persistence, database: database.persistence }
}

describe('two backends side by side', () => {
  it('mirror one store, each on its own', async () => {
    const { ctx, files, database } = await mirrored()
    const session = ctx.sessions.create('s')
    say(session, 'a')
    await ctx.sessions.flush(session)
    for (const persistence of [files, database]) {
      expect(persistence.durableSeq(session)).toBe(1)
      expect((await persistence.load('s')).events).toEqual(session.events)
    }
    expect((await database.search('a')).hits).toHaveLength(1)
    await expect(files.search('a')).rejects.toMatchObject({ code: 'UNSUPPORTED' })
  })

  it('do not hold each other back: while one is slow, the other stores', async () => {
    const { ctx, file, files, database } = await mirrored()
    const session = ctx.sessions.create('s')
    await ctx.sessions.flush(session)
    const blocker = new DatabaseSync(file)
    onTestFinished(() => blocker.close())
    blocker.exec('BEGIN IMMEDIATE')
    say(session, 'a')
    let isFlushed = false
    const flushed = ctx.sessions.flush(session).then(() => {
      isFlushed = true
    })
    while (files.durableSeq(session) < 1) await new Promise(setImmediate)
    expect((await files.load('s')).events).toEqual(session.events)
    expect(database.durableSeq(session)).toBe(0)
    expect(isFlushed).toBe(false)
    blocker.exec('COMMIT')
    await flushed
    expect(database.durableSeq(session)).toBe(1)
  })

  it('let a flush say which of them failed, and store all they can', async () => {
    const { ctx, file, files, database } = await mirrored({ maxBytes: 400_000 })
    const session = ctx.sessions.create('s')
    say(session, 'a')
    await ctx.sessions.flush(session)
    say(session, 'x'.repeat(2_000_000))
    const refusal = { code: 'STORAGE_FAILED', file, details: { sqlite: 'SQLITE_FULL' } }
    await expect(ctx.sessions.flush(session)).rejects.toMatchObject(refusal)
    expect(files.durableSeq(session)).toBe(2)
    expect(database.durableSeq(session)).toBe(1)
    await expect(database.close()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await files.close()
  })
})
