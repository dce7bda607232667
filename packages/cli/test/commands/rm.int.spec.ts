import { describe, expect, it } from 'vitest'
import { exampleRoot } from '../support/root.js'
import { run } from '../support/run.js'

describe('rm', () => {
  it('removes for good what it is told to, without a question where --yes is given', async () => {
    const { path: root } = await exampleRoot()
    expect(await run('rm scratch demo --yes', { root })).toMatchObject({ code: 0, stdout: 'scratch\ndemo\n' })
    expect((await run('ls --ids', { root })).stdout).toBe('demo-fork\nbroken\n')
    expect((await run('messages demo-fork --json', { root })).stdout.split('\n')).toHaveLength(8)
  })

  it('removes a damaged session, too', async () => {
    const { path: root } = await exampleRoot()
    expect(await run('rm broken --yes --json', { root })).toMatchObject({
      code: 0,
      stdout: '{"id":"broken","removed":true}\n',
    })
  })

  it('takes no part of an id for the whole', async () => {
    const { path: root } = await exampleRoot()
    for (const [command, what] of [
      ['rm scr --yes', 'a stored session'],
      ['rm dem --yes', 'a stored session'],
      ['rm @latest --yes', 'a stored session'],
      ['rm nowhere --yes', 'a stored session'],
      ['rm --trashed disc --yes', 'a session in the trash'],
      ['rm --trashed scratch --yes', 'a session in the trash'],
    ] as const) {
      const { code, stdout, stderr } = await run(command, { root })
      expect({ command, code, stdout }).toEqual({ command, code: 3, stdout: '' })
      expect(stderr).toContain(`SESSION_NOT_FOUND: expected the whole id of ${what}, found none (session`)
    }
    expect((await run('ls --ids', { root })).stdout).toContain('scratch')
  })

  it('asks a person, and takes anything but yes for no', async () => {
    const { path: root } = await exampleRoot()
    const answers: [string, boolean][] = [
      ['y\n', true],
      ['yes\n', true],
      ['\n', false],
      ['no\n', false],
      ['', false],
    ]
    for (const [stdin, isRemoved] of answers) {
      await run('fork demo --as victim', { root })
      const { code, stderr } = await run('rm victim', { root, columns: 80, stdin })
      expect({ stdin, code }).toEqual({ stdin, code: 0 })
      expect(stderr).toContain('Remove victim for good? [y/N]')
      expect((await run('ls --ids', { root })).stdout.includes('victim')).toBe(!isRemoved)
      if (!isRemoved) await run('rm victim --yes', { root })
    }
  })

  it('removes from the trash where it is told to, and leaves what is stored under that id', async () => {
    const root = await exampleRoot()
    await root.store('discarded', [])
    expect(await run('rm --trashed demo --yes', { root: root.path })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('a session in the trash'),
    })
    expect(await run('rm --trashed discar --yes', { root: root.path })).toMatchObject({ code: 3, stdout: '' })
    const asked = await run('rm --trashed discarded', { root: root.path, columns: 80, stdin: 'no\n' })
    expect(asked.stderr).toContain('Remove discarded from the trash for good? [y/N]')
    expect((await run('ls --ids --trash', { root: root.path })).stdout).toBe('discarded\n')
    expect(await run('rm --trashed discarded --yes --json', { root: root.path })).toMatchObject({
      code: 0,
      stdout: '{"id":"discarded","removed":true}\n',
    })
    expect((await run('ls --ids --trash', { root: root.path })).stdout).toBe('')
    expect((await run('ls --ids', { root: root.path })).stdout).toContain('discarded')
  })

  it('refuses to go ahead where nobody can answer', async () => {
    const { path: root } = await exampleRoot()
    expect(await run('rm scratch', { root })).toMatchObject({ code: 2, stderr: expect.stringContaining('give --yes') })
    expect((await run('ls --ids', { root })).stdout).toContain('scratch')
  })
})
