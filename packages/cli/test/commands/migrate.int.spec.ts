import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentsOf, exampleRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

async function setUp() {
  const { path: root } = await exampleRoot()
  return { root, cwd: dirname(root) }
}

describe('migrate', () => {
  it('copies everything that can be read into a database and back, and leaves the source as it is', async () => {
    const options = await setUp()
    const before = contentsOf(options.root)
    const there = await run('migrate --to all.sqlite --json', options)
    expect(there.code).toBe(5)
    expect(jsonLines(there.stdout)).toEqual([
      { id: 'demo-fork', events: 23, outcome: 'copied' },
      { id: 'demo', events: 28, outcome: 'copied' },
      { id: 'scratch', events: 7, outcome: 'copied' },
    ])
    expect(there.stderr).toContain('"session":"broken"')
    expect(there.stderr).toContain('1 session in the trash was left behind')
    const back = await run('migrate --root all.sqlite --to back', options)
    expect(back).toMatchObject({ code: 0, stderr: '' })
    for (const id of ['demo', 'demo-fork', 'scratch']) {
      const [original, copy] = [
        await run(`events ${id} --json`, options),
        await run(`events ${id} --json --root back`, options),
      ]
      expect(copy).toEqual(original)
    }
    for (const [file, bytes] of Object.entries(before))
      if (!file.startsWith('.locks')) expect(contentsOf(options.root)[file]).toBe(bytes)
  })

  it('goes on where it was broken off', async () => {
    const options = await setUp()
    await run('migrate demo --to copy', options)
    const { stdout } = await run('migrate demo scratch --to copy', options)
    expect(stdout).toBe('present    demo  28 events\ncopied     scratch  7 events\n')
  })

  it('needs to know where to', async () => {
    const options = await setUp()
    expect(await run('migrate', options)).toMatchObject({ code: 2, stdout: '' })
    expect(await run('migrate --to x --to-backend tape', options)).toMatchObject({ code: 2, stdout: '' })
    expect(await run('migrate nope --to x', options)).toMatchObject({ code: 3, stdout: '' })
  })
})
