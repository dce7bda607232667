import JsonlPersistence from '@dsh/persistence-jsonl'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import { LogBuilder } from '../support/log-builder.js'
import { sharedRoot, TestRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

const shared = sharedRoot()

async function seqs(command: string): Promise<unknown[]> {
  return jsonLines((await run(`tail --json ${command}`, { root: shared.path })).stdout).map(({ seq }) => seq)
}

describe('tail', () => {
  it('prints the last events, ten where nobody says how many', async () => {
    expect(await seqs('demo')).toEqual([18, 19, 20, 21, 22, 23, 24, 25, 26, 27])
    expect(await seqs('demo -n 1')).toEqual([27])
    expect(await seqs('demo -n 0')).toEqual([])
    expect(await seqs('demo -n 999')).toHaveLength(28)
  })

  it('counts only what it prints', async () => {
    expect(await seqs('demo -n 3 --type assistant/message')).toEqual([14, 20, 25])
    expect(await seqs('demo -n 24 --skip-chunks')).toEqual([
      1,
      2,
      3,
      ...Array.from({ length: 21 }, (_, index) => index + 7),
    ])
  })

  it('follows a session that a harness is writing, every event once and in order', async () => {
    const root = new TestRoot()
    await root.store('live', new LogBuilder().prompt('Begin').end().events)
    const ctx = new Context()
    await ctx.plugin(SessionStore)
    await ctx.plugin(JsonlPersistence, { root: root.path, writeDelayMs: 1, durability: 'none' })
    const { session } = await ctx.sessionPersistence.resume('live')
    const interrupt = new AbortController()
    const COUNT = 400
    const onOutput = (stdout: string) => {
      if (stdout.includes(`"item ${COUNT - 1}"`)) interrupt.abort()
    }
    const following = run('tail live -f -n 2 --json', { root: root.path, signal: interrupt.signal, onOutput })
    for (let item = 0; item < COUNT; item++) {
      session.append('todo/write', { todos: [{ content: `item ${item}`, status: 'pending' }] })
      if (item % 37 === 0) await ctx.sessions.flush(session)
    }
    await ctx.sessions.flush(session)
    const { code, stdout } = await following
    await ctx.fiber.dispose()
    expect(code).toBe(130)
    // It began with the two events before the end as that was when it looked.
    const found = jsonLines(stdout).map(({ seq }) => seq as number)
    const [first] = found
    expect(first).toBeLessThanOrEqual(session.seq - 2)
    expect(found).toEqual(Array.from({ length: session.seq - first! }, (_, index) => first! + index))
  })
})
