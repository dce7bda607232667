import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LogBuilder } from './support/log-builder.js'
import { contentsOf, exampleRoot } from './support/root.js'
import { jsonLines, run } from './support/run.js'

const found = async (root: string, ...words: string[]) => {
  const { code, stdout } = await run(['search', ...words, '--json'], { root })
  expect(code).toBe(0)
  const [{ hits }] = jsonLines(stdout) as [{ hits: { id: string; seq: number }[] }]
  return hits.map(({ id, seq }) => `${id} ${seq}`).sort()
}

describe('the search of a directory of logs', () => {
  it('finds what is stored when it is asked, and changes no log', async () => {
    const root = await exampleRoot()
    const before = contentsOf(root.path)
    expect(await found(root.path, 'longest', '--role', 'assistant')).toEqual(['demo 14', 'demo-fork 14'])
    await root.store('later', new LogBuilder().prompt('Which is the longest of all?').end().events)
    await run('rm demo --yes', { root: root.path })
    expect(await found(root.path, 'longest')).toEqual(['demo-fork 1', 'demo-fork 14', 'later 1'])
    const after = contentsOf(root.path)
    for (const [file, bytes] of Object.entries(before))
      if (/^(demo-fork|broken|scratch)/.test(file)) expect(after[file]).toBe(bytes)
  })

  it('makes its index anew where it was deleted, damaged or is not believed', async () => {
    const root = await exampleRoot()
    const expected = await found(root.path, 'parser')
    expect(expected.length).toBeGreaterThan(0)
    expect(existsSync(join(root.path, '.search.sqlite'))).toBe(true)
    expect(await found(root.path, 'parser', '--rebuild')).toEqual(expected)
  })

  it('is no session', async () => {
    const root = await exampleRoot()
    await found(root.path, 'parser')
    expect((await run('ls --ids', { root: root.path })).stdout).toBe('demo-fork\nbroken\ndemo\nscratch\n')
    expect(await run('verify demo', { root: root.path })).toMatchObject({ code: 0 })
  })

  it('does not make a root to search in', async () => {
    expect(await run('search x', { root: '/nowhere' })).toMatchObject({ code: 3, stdout: '' })
    expect(existsSync('/nowhere')).toBe(false)
  })
})
