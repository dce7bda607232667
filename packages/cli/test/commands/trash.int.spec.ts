import { describe, expect, it } from 'vitest'
import { exampleRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

describe('trash', () => {
  it('takes sessions out of the list and keeps them', async () => {
    const { path: root } = await exampleRoot()
    expect(await run('trash scratch dem', { root })).toMatchObject({ code: 4, stdout: 'scratch\n' })
    expect(await run('trash demo --json', { root })).toMatchObject({
      code: 0,
      stdout: '{"id":"demo","trashed":true}\n',
    })
    expect((await run('ls --ids', { root })).stdout).toBe('demo-fork\nbroken\n')
    expect((await run('ls --ids --trash', { root })).stdout.split('\n').sort()).toEqual([
      '',
      'demo',
      'discarded',
      'scratch',
    ])
  })

  it('says which of several it could not take, and takes the others', async () => {
    const { path: root } = await exampleRoot()
    const { code, stdout, stderr } = await run('trash nope scratch --json', { root })
    expect(code).toBe(3)
    expect(jsonLines(stdout)).toEqual([{ id: 'scratch', trashed: true }])
    expect(jsonLines(stderr)).toEqual([
      { error: expect.objectContaining({ code: 'SESSION_NOT_FOUND', session: 'nope' }) },
    ])
  })

  it('wants to know which', async () => {
    expect(await run('trash', { root: '/' })).toMatchObject({ code: 2, stdout: '' })
  })
})
