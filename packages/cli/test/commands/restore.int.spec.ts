import { describe, expect, it } from 'vitest'
import { exampleRoot } from '../support/root.js'
import { run } from '../support/run.js'

describe('restore', () => {
  it('brings back what was put into the trash, as it was', async () => {
    const { path: root } = await exampleRoot()
    const before = (await run('events demo --json', { root })).stdout
    await run('trash demo', { root })
    expect(await run('restore demo --json', { root })).toMatchObject({
      code: 0,
      stdout: '{"id":"demo","restored":true}\n',
    })
    expect((await run('events demo --json', { root })).stdout).toBe(before)
    expect(await run('restore disc', { root })).toMatchObject({ code: 0, stdout: 'discarded\n' })
    expect((await run('ls --trash --ids', { root })).stdout).toBe('')
  })

  it('looks in the trash only, and overwrites nothing', async () => {
    const root = await exampleRoot()
    expect(await run('restore demo', { root: root.path })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('a session in the trash'),
    })
    await root.store('discarded', [])
    expect(await run('restore discarded', { root: root.path })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('SESSION_ALREADY_EXISTS'),
    })
  })
})
