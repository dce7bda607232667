import { chmodSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contentsOf, exampleRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

describe('doctor', () => {
  it('speaks of what is wrong, and of the rest only when asked', async () => {
    const { path: root } = await exampleRoot()
    const all = await run('doctor', { root })
    expect(all.code).toBe(1)
    expect(all.stdout).toMatch(/^broken {2}25 events\n {2}damage {2}The log is damaged at line 9/)
    expect(all.stdout).not.toContain('demo')
    expect(await run('doctor demo', { root })).toMatchObject({
      code: 0,
      stdout: 'demo  28 events\n  nothing is wrong\n',
    })
  })

  it('salvages into a new session that opens, tells what it could not read, and leaves the damaged one as it is', async () => {
    const { path: root } = await exampleRoot()
    const before = contentsOf(root)
    const { code, stdout } = await run('doctor broken --salvage --json', { root })
    expect(code).toBe(1)
    const [diagnosis, report] = jsonLines(stdout)
    expect(diagnosis).toMatchObject({
      id: 'broken',
      findings: [{ kind: 'damage', words: expect.stringContaining('line 9') }],
    })
    expect(report).toMatchObject({ salvaged: 'broken-salvaged', recovered: 25, lost: [], degraded: [] })
    expect(report!.unreadable).toEqual([
      expect.objectContaining({ byte: expect.any(Number), bytes: expect.any(Number) }),
    ])
    expect(contentsOf(root)).toMatchObject(before)
    expect(await run('verify broken-salvaged', { root })).toMatchObject({ code: 0 })
  })

  it('finds an id for the copy that is free, or takes the one that it is given', async () => {
    const { path: root } = await exampleRoot()
    await run('doctor broken --salvage', { root })
    expect((await run('doctor broken --salvage', { root })).stdout).toContain('new session broken-salvaged-2.')
    expect((await run('doctor broken --salvage --as mended', { root })).stdout).toContain('new session mended.')
    expect(await run('doctor broken --salvage --as demo', { root })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('SESSION_ALREADY_EXISTS'),
    })
  })

  it('salvages everything that is damaged when it is asked for no one', async () => {
    const { path: root } = await exampleRoot()
    await run('doctor --salvage', { root })
    expect((await run('ls --ids', { root })).stdout.split('\n').sort()).toEqual([
      '',
      'broken',
      'broken-salvaged',
      'demo',
      'demo-fork',
      'scratch',
    ])
  })

  it('does not salvage what is well', async () => {
    const { path: root } = await exampleRoot()
    expect(await run('doctor demo --salvage', { root })).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('saved'),
    })
  })

  it.skipIf(process.getuid?.() === 0)('says when nothing could be stored in the root', async () => {
    const { path: root } = await exampleRoot()
    chmodSync(root, 0o500)
    try {
      expect((await run('doctor demo', { root })).stderr).toContain('cannot be written')
    } finally {
      chmodSync(root, 0o700)
    }
  })

  it('takes a name for one copy only', async () => {
    const { path: root } = await exampleRoot()
    for (const words of ['--as x', 'broken --as x', 'broken demo --salvage --as x', '--salvage --as x']) {
      expect(await run(`doctor ${words}`, { root })).toMatchObject({ code: 2, stdout: '' })
    }
  })
})
