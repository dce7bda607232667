import { describe, expect, it } from 'vitest'
import { exampleRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

describe('fork', () => {
  it('makes a stored session of the events up to the boundary, and leaves the source as it is', async () => {
    const { path: root } = await exampleRoot()
    const before = (await run('events demo --json', { root })).stdout
    const { code, stdout, stderr } = await run('fork demo --boundary 16 --as child', { root })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'child\n', stderr: 'forked demo with 17 events\n' })
    expect((await run('events child --json', { root })).stdout).toBe(
      before.split('\n').slice(0, 17).join('\n').concat('\n'),
    )
    expect((await run('events demo --json', { root })).stdout).toBe(before)
  })

  it('gives a program the header, and a random id where none is asked for', async () => {
    const { path: root } = await exampleRoot()
    const [header] = jsonLines((await run('fork demo --json', { root })).stdout)
    expect(header).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      parentSession: 'demo',
      seedLength: 28,
      createdAt: expect.stringMatching(/Z$/),
    })
  })

  it('refuses an open turn, a place that is not in the log, and an id that is taken', async () => {
    const { path: root } = await exampleRoot()
    const codes: [string, string][] = [
      ['--boundary 5', 'OPEN_TURN'],
      ['--boundary 28', 'INVALID_BOUNDARY'],
      ['--as scratch', 'SESSION_ALREADY_EXISTS'],
    ]
    for (const [words, code] of codes) {
      expect(await run(`fork demo ${words}`, { root })).toMatchObject({
        code: 4,
        stdout: '',
        stderr: expect.stringContaining(code),
      })
    }
    expect((await run('ls --ids', { root })).stdout.split('\n')).toHaveLength(5)
  })
})
