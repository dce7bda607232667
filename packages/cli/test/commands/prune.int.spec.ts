import { describe, expect, it } from 'vitest'
import { contentsOf, exampleRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

const ids = (entries: unknown) => (entries as { id: string }[]).map(({ id }) => id)

describe('prune', () => {
  it('only tells what it would remove, when that is asked for', async () => {
    const { path: root } = await exampleRoot()
    const before = contentsOf(root)
    const [report] = jsonLines((await run('prune --older-than 1h -n --json', { root })).stdout)
    expect(report!.dryRun).toBe(true)
    expect(ids(report!.removed).sort()).toEqual(['broken', 'demo', 'demo-fork', 'scratch'])
    expect(contentsOf(root)).toEqual(before)
  })

  it('removes what is old, and keeps what a younger one was forked from', async () => {
    const { path: root } = await exampleRoot()
    const { code, stdout, stderr } = await run('prune --older-than 2026-01-15T10:00Z --yes', { root })
    expect(code).toBe(0)
    expect(stdout.split('\n').map(line => line.slice(0, 17).trimEnd())).toEqual([
      'removed   scratch',
      'removed   broken',
      'parent    demo  2',
      '',
    ])
    expect(stderr).toBe('2 sessions removed, 1 old ones kept\n')
    expect((await run('ls --ids', { root })).stdout).toBe('demo-fork\ndemo\n')
    await run('prune --older-than 2026-01-15T10:00Z --yes --parents', { root })
    expect((await run('ls --ids', { root })).stdout).toBe('demo-fork\n')
    expect(await run('verify demo-fork', { root })).toMatchObject({ code: 0 })
  })

  it('wants to be told what is old, and that it is meant', async () => {
    const { path: root } = await exampleRoot()
    for (const words of [
      '',
      '--yes',
      '--older-than 1h',
      '--older-than 1h --yes --dry-run',
      '--older-than soon --yes',
    ]) {
      expect(await run(`prune ${words}`, { root })).toMatchObject({ code: 2, stdout: '' })
    }
    expect((await run('ls --ids', { root })).stdout.split('\n')).toHaveLength(5)
  })
})
