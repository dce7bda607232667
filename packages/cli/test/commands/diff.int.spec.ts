import { describe, expect, it } from 'vitest'
import { LogBuilder } from '../support/log-builder.js'
import { sharedRoot, TestRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

const shared = sharedRoot()
const diff = (command: string) => run(`diff ${command}`, { root: shared.path })

describe('diff', () => {
  it('says what a fork and its parent share, and what each has alone', async () => {
    const { code, stdout } = await diff('demo demo-fork --json')
    expect(code).toBe(1)
    const [report] = jsonLines(stdout)
    expect(report).toMatchObject({
      a: { id: 'demo', seq: 28 },
      b: { id: 'demo-fork', seq: 23 },
      commonEvents: 17,
      onlyInA: 11,
      onlyInB: 6,
      header: { parentSession: [null, 'demo'], seedLength: [null, 17] },
      messages: { same: 5 },
    })
    const { removed, added } = report!.messages as Record<'removed' | 'added', { seq: number; time: string }[]>
    expect(removed.map(({ seq }) => seq)).toEqual([18, 20, 22, 25])
    expect(added.map(({ seq }) => seq)).toEqual([18, 20])
    expect(added[0]!.time).toBe('2026-01-15T10:30:00.000Z')
  })

  it('finds nothing between a session and itself', async () => {
    expect(await diff('demo demo')).toMatchObject({ code: 0, stdout: expect.stringContaining('28 events the same\n') })
    expect(await diff('demo@9 @9')).toMatchObject({ code: 0 })
  })

  it('compares points of one session and of several', async () => {
    const [report] = jsonLines((await diff('demo@17 @28 --json')).stdout)
    expect(report).toMatchObject({ a: { seq: 17 }, b: { seq: 28 }, commonEvents: 17, onlyInA: 0, onlyInB: 11 })
    expect(await diff('demo@17 demo-fork@17')).toMatchObject({ code: 0 })
    expect(await diff('demo@99 demo')).toMatchObject({ code: 4, stderr: expect.stringContaining('a seq from 0 to 28') })
    expect(await diff('@5 demo')).toMatchObject({ code: 3 })
  })

  it('takes a session that is called like a point for the session', async () => {
    const root = new TestRoot()
    await root.store('a', new LogBuilder().prompt('One').end().events)
    await root.store('a@1', new LogBuilder().prompt('Two').end().events)
    const { stdout } = await run('diff a@1 a@2 --json', { root: root.path })
    expect(jsonLines(stdout)[0]).toMatchObject({ a: { id: 'a@1', seq: 3 }, b: { id: 'a', seq: 2 } })
  })

  it('lists the events that only one of them has', async () => {
    const { stdout } = await diff('demo demo-fork --events')
    expect(stdout.match(/^- +\d+ /gm)).toHaveLength(11)
    expect(stdout.match(/^\+ +\d+ /gm)).toHaveLength(6)
  })
})
