import { describe, expect, it } from 'vitest'
import { sharedRoot, TestRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

const shared = sharedRoot()

async function stats(command: string) {
  const { code, stdout } = await run(`stats ${command} --json`, { root: shared.path })
  expect(code).toBe(0)
  return jsonLines(stdout)[0]!
}

describe('stats', () => {
  it('counts all sessions, what they share once, and the damaged ones without reading them', async () => {
    const all = await stats('')
    expect(all).toMatchObject({
      sessions: { ok: 3, unfinished: 0, corrupt: 1 },
      events: 28 + 6 + 7,
      turns: 4,
      calls: 5,
      tokens: { inputTokens: 7_550, outputTokens: 156 },
      firstTime: '2026-01-15T09:30:00.000Z',
      models: [{ model: 'acme/large-1', tokens: { inputTokens: 7_550, outputTokens: 156 } }],
    })
    expect(all.tools).toContainEqual({ tool: 'write_file', calls: 1, errors: 1, milliseconds: 2_500 })
    expect(all).not.toHaveProperty('types')
  })

  it('counts the events of one session by type', async () => {
    const one = await stats('demo-fork')
    expect(one).toMatchObject({ sessions: { ok: 1 }, events: 6, turns: 1 })
    expect(one.types).toContainEqual({ type: 'assistant/message', events: 1 })
  })

  it('refuses one that is damaged, where it was asked for that one', async () => {
    expect(await run('stats broken', { root: shared.path })).toMatchObject({ code: 5, stdout: '' })
  })

  it('counts nothing in an empty root', async () => {
    const root = new TestRoot()
    await root.use(driver => driver.connect())
    expect((await run('stats', { root: root.path })).stdout).toBe('sessions   0\nstored     0 events\nturns      0\n')
  })
})
