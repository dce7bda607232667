import { appendFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LogBuilder } from '../support/log-builder.js'
import { sharedRoot, TestRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

const shared = sharedRoot()

async function show(command: string) {
  const { code, stdout } = await run(`show ${command} --json`, { root: shared.path })
  expect(code).toBe(0)
  return jsonLines(stdout)[0] as { turns: Record<string, unknown>[] } & Record<string, unknown>
}

describe('show', () => {
  it('gives a program the course of a session, tokens and times in each stretch', async () => {
    const shown = await show('demo')
    expect(shown).toMatchObject({
      id: 'demo',
      state: 'ok',
      events: 28,
      header: { createdAt: '2026-01-15T09:30:00.000Z' },
      tokens: { calls: 4, total: { inputTokens: 6_000, outputTokens: 147 } },
    })
    expect(shown.turns).toHaveLength(2)
    expect(shown.turns[1]).toMatchObject({
      turn: 2,
      reason: { kind: 'completed' },
      startTime: '2026-01-15T09:31:02.467Z',
      tokens: { inputTokens: 3_300, outputTokens: 92 },
      steps: [
        {
          step: 1,
          calls: [
            {
              name: 'write_file',
              isError: true,
              startTime: '2026-01-15T09:31:03.667Z',
              endTime: '2026-01-15T09:31:06.167Z',
            },
          ],
        },
        { step: 2, calls: [] },
      ],
    })
  })

  it('goes as deep and as far back as it is told', async () => {
    const turns = await show('demo --depth turns')
    expect(turns.turns.every(turn => !('steps' in turn))).toBe(true)
    const [last] = (await show('demo --turns 1 --depth steps')).turns
    expect(last).toMatchObject({
      turn: 2,
      steps: [expect.not.objectContaining({ calls: expect.anything() }), expect.anything()],
    })
    expect((await show('demo --turns 0')).turns).toEqual([])
    expect((await show('demo --turns 99')).turns).toHaveLength(2)
  })

  it('tells inherited tokens apart', async () => {
    expect(await show('demo-fork')).toMatchObject({
      tokens: { inherited: { inputTokens: 2_700 }, own: { inputTokens: 1_550 } },
    })
  })

  it('tells an open turn, a call without a result, and a tail that is cut off', async () => {
    const root = new TestRoot()
    const log = new LogBuilder().prompt('Read it').answer('', { calls: [{ name: 'read' }] })
    await root.store('s', log.events, { delegationDepth: 2 })
    appendFileSync(root.log('s'), '{"half')
    const { stdout } = await run('show s', { root: root.path })
    expect(stdout).toContain('open       turn 1: somebody is at work in it, or died in it\n')
    expect(stdout).toMatch(/^torn {7}.*6 B at the end hold no whole record$/m)
    expect(stdout).toContain('delegation depth 2\n')
    expect(stdout).toMatch(/^turn 1 {2}open /m)
    expect(stdout).toMatch(/^ {4}read {2}no result/m)
  })

  it('tells why a turn failed, and what else came into it', async () => {
    const root = new TestRoot()
    const log = new LogBuilder().prompt('One')
    const message = {
      id: 'x',
      role: 'user',
      source: { kind: 'plugin', plugin: 'clock' },
      content: [{ type: 'text', text: 'Noon' }],
    }
    log.message('user/message', message).message('steering/message', { turn: 1, message: { ...message, id: 'y' } })
    log.end({ kind: 'error', step: 1, message: 'the provider\nis away' })
    await root.store('s', log.events)
    const { stdout } = await run('show s', { root: root.path })
    expect(stdout).toContain(
      'turn 1  error: the provider is away  0 ms  #0–4  message  1 injection  1 steering\n  One\n',
    )
  })

  it('shows a session without any turn', async () => {
    const root = new TestRoot()
    await root.store('s', [])
    expect((await run('show s', { root: root.path })).stdout).toMatch(
      /^session {4}s\ncreated .*\nstored {5}0 events, \d+ B\n$/,
    )
  })

  it('refuses what it cannot do in one line', async () => {
    expect(await run('show broken', { root: shared.path })).toMatchObject({ code: 5, stdout: '' })
    expect(await run('show', { root: shared.path })).toMatchObject({ code: 2, stdout: '' })
    expect(await run('show demo --depth all', { root: shared.path })).toMatchObject({ code: 2, stdout: '' })
  })
})
