import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LogBuilder } from '../support/log-builder.js'
import { contentsOf, exampleRoot, TestRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

describe('verify', () => {
  it('checks every session, or those that are named, and changes nothing', async () => {
    const root = await exampleRoot()
    const before = contentsOf(root.path)
    const all = await run('verify --json', { root: root.path })
    expect(all.code).toBe(1)
    expect(jsonLines(all.stdout).map(({ id, isIntact }) => [id, isIntact])).toEqual([
      ['demo-fork', true],
      ['broken', false],
      ['demo', true],
      ['scratch', true],
    ])
    expect(jsonLines(all.stdout)[1]).toMatchObject({ error: expect.stringContaining('SESSION_CORRUPT') })
    expect(await run('verify demo scr', { root: root.path })).toEqual({
      code: 0,
      stdout: 'ok         demo  28 events\nok         scratch  7 events\n',
      stderr: '2 sessions checked, 0 damaged\n',
    })
    expect(contentsOf(root.path)).toEqual(before)
  })

  it('tells a torn tail and an open turn, which are no damage', async () => {
    const root = new TestRoot()
    await root.store('open', new LogBuilder().prompt('Hello').events)
    await root.store('torn', new LogBuilder([], 0).prompt('Hello').end().events, { createdAt: 0 })
    appendFileSync(root.log('torn'), '{"half')
    const { code, stdout } = await run('verify', { root: root.path })
    expect(code).toBe(0)
    expect(stdout).toBe('open turn  open  2 events\ntorn       torn  3 events, 6 B of the end cannot be used\n')
  })

  it('goes on behind a session that the storage fails to read', async () => {
    const root = await exampleRoot()
    rmSync(root.log('demo'))
    mkdirSync(root.log('demo'))
    const { code, stdout, stderr } = await run('verify -q', { root: root.path })
    expect(code).not.toBe(0)
    expect(stdout).toMatch(/ok {9}scratch/)
    expect(stdout + stderr).toContain('demo')
  })

  it('wants every session that is named to be there', async () => {
    const { path: root } = await exampleRoot()
    expect(await run('verify demo nope', { root })).toMatchObject({ code: 3, stdout: '' })
  })
})
