import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import JsonlDefault, { JsonlPersistence } from '@dsh/persistence-jsonl'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let root: string
let ctx: Context

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'plugin-'))
  ctx = new Context()
  await ctx.plugin(SessionStore)
})

afterEach(async () => {
  await ctx.fiber.dispose()
  rmSync(root, { recursive: true })
})

describe('JsonlPersistence', () => {
  it('stores the sessions of an application and gives them to the next one', async () => {
    await ctx.plugin(JsonlPersistence, { root })
    const session = ctx.sessions.create('s', { meta: { cwd: '/work' } })
    session.append('turn/start', { turn: 1, trigger: { kind: 'retry' } })
    session.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
    await ctx.sessions.flush(session)
    await ctx.sessionPersistence.close()

    const next = new Context()
    await next.plugin(SessionStore)
    await next.plugin(JsonlDefault, { root, durability: 'none', writeDelayMs: 0 })
    const { session: resumed } = await next.sessionPersistence.resume('s')
    expect(resumed.header).toEqual(session.header)
    expect(resumed.events).toEqual(session.events)
    expect(next.sessionPersistence.manifest.name).toBe('jsonl')
    await next.fiber.dispose()
  })

  it.each([
    [{}, 'root'],
    [{ root: 'relative' }, 'root'],
    [{ root: '/x', durability: 'sometimes' }, 'durability'],
    [{ root: '/x', writeDelayMs: -1 }, 'writeDelayMs'],
    [{ root: '/x', closeTimeoutMs: 'soon' }, 'closeTimeoutMs'],
    [{ root: '/x', packChunks: 1 }, 'packChunks'],
    [{ rooot: '/x' }, 'rooot'],
    [{ root: '/x', file: '/x' }, 'file'],
    [undefined, 'root'],
  ])('refuses the configuration %j, naming plugin and option', async (config, path) => {
    const plugin = '@dsh/persistence-jsonl'
    await expect(ctx.plugin(JsonlPersistence, config as never)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      plugin,
      path,
    })
  })

  it('fails to mount on a root that cannot be used', async () => {
    await expect(ctx.plugin(JsonlPersistence, { root: '/dev/null/sessions' })).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      file: '/dev/null/sessions',
    })
  })
})
