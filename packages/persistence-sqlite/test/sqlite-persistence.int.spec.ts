import { userMessage } from '@dsh/llm'
import type {} from '@dsh/persistence'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import SqlitePersistence, { type SqlitePersistenceConfig } from '../src/index.js'
import { temporaryFile } from './support/temporary.js'

async function start(config: Partial<SqlitePersistenceConfig> & { file: string }): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  await ctx.plugin(SqlitePersistence, { durability: 'none', ...config })
  return ctx
}

describe('SqlitePersistence', () => {
  it('stores the sessions of an application, and brings them back in another', async () => {
    const file = temporaryFile()
    const first = await start({ file })
    const session = first.sessions.create('chat', { meta: { cwd: '/work' } })
    session.append('user/message', userMessage('Where is the pangolin?'), { surfaceOp: 'append' })
    await first.sessions.flush(session)
    await first.fiber.dispose()

    const second = await start({ file })
    const { session: resumed } = await second.sessionPersistence.resume('chat')
    expect(resumed.events).toEqual(session.events)
    const { hits } = await second.sessionPersistence.search('pangolin', { role: 'user' })
    expect(hits).toMatchObject([{ id: 'chat', seq: 0 }])
    expect(second.sessionPersistence.locate(resumed.header)).toMatch(/^file:.*sessions\.db#%22chat%22$/)
    await second.fiber.dispose()
  })

  it('refuses an id that is stored at once', async () => {
    const file = temporaryFile()
    const first = await start({ file })
    await first.sessions.flush(first.sessions.create('chat'))
    await first.fiber.dispose()
    const second = await start({ file })
    expect(() => second.sessions.create('chat')).toThrow(expect.objectContaining({ code: 'SESSION_ALREADY_EXISTS' }))
    await second.fiber.dispose()
  })

  it.each([
    [{ file: 'relative.db' }, 'file'],
    [{ file: '/x.db', writeDelayMs: -1 }, 'writeDelayMs'],
    [{ file: '/x.db', durability: 'maybe' }, 'durability'],
    [{ file: '/x.db', busyTimeout: 1 }, 'busyTimeout'],
    [{ root: '/x' }, 'root'],
    [undefined, 'file'],
  ])('refuses the configuration %j, naming plugin and option', async (config, path) => {
    const plugin = '@dsh/persistence-sqlite'
    await expect(start(config as never)).rejects.toMatchObject({ code: 'INVALID_CONFIG', plugin, path })
  })

  it('fails to start on a path that cannot hold a database', async () => {
    await expect(start({ file: '/proc/sessions.db' })).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  })
})
