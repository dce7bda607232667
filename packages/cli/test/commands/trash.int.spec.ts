import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { contentsOf, exampleRoot } from '../support/root.js'
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

describe('trash --empty', () => {
  it('removes all that is in the trash, and nothing that is stored', async () => {
    const { path: root } = await exampleRoot()
    await run('trash scratch', { root })
    const { code, stdout, stderr } = await run('trash --empty --yes', { root })
    expect({ code, lines: stdout.split('\n').sort() }).toEqual({ code: 0, lines: ['', 'discarded', 'scratch'] })
    expect(stderr).toBe('2 sessions removed from the trash\n')
    expect((await run('ls --ids --trash', { root })).stdout).toBe('')
    expect((await run('ls --ids', { root })).stdout).toBe('demo-fork\nbroken\ndemo\n')
    expect(await run('restore scratch', { root })).toMatchObject({ code: 3 })
    expect(await run('trash --empty --yes', { root })).toMatchObject({ code: 0, stdout: '' })
  })

  it('tells of each session that had an id, before it does it and then', async () => {
    const root = await exampleRoot()
    await root.store('discarded', [])
    await run('trash discarded', { root: root.path })
    const before = contentsOf(root.path)
    const dry = await run('trash --empty --dry-run --json', { root: root.path })
    expect(jsonLines(dry.stdout)).toEqual([
      { id: 'discarded', removed: false },
      { id: 'discarded', removed: false },
    ])
    expect(dry).toMatchObject({ code: 0, stderr: '2 sessions would be removed from the trash\n' })
    expect(contentsOf(root.path)).toEqual(before)
    expect(jsonLines((await run('trash --empty --yes --json', { root: root.path })).stdout)).toEqual([
      { id: 'discarded', removed: true },
      { id: 'discarded', removed: true },
    ])
    expect((await run('ls --ids --trash', { root: root.path })).stdout).toBe('')
  })

  it('asks a person, and takes anything but yes for no', async () => {
    const { path: root } = await exampleRoot()
    for (const [stdin, left] of [
      ['\n', 'discarded\n'],
      ['', 'discarded\n'],
      ['y\n', ''],
    ] as const) {
      const { code, stderr } = await run('trash --empty', { root, columns: 80, stdin })
      expect({ stdin, code }).toEqual({ stdin, code: 0 })
      expect(stderr).toContain('Remove discarded from the trash for good? [y/N]')
      expect((await run('ls --ids --trash', { root })).stdout).toBe(left)
    }
  })

  it('says which it could not remove, and removes the others', async () => {
    const root = await exampleRoot()
    await run('trash scratch', { root: root.path })
    await root.store('scratch', [])
    const code = await root.use(async driver => {
      const handle = await driver.open('scratch' as never, 'write')
      const outcome = await run('trash --empty --yes --json', { root: root.path })
      await handle.close()
      expect(jsonLines(outcome.stdout)).toEqual([{ id: 'discarded', removed: true }])
      expect(jsonLines(outcome.stderr.split('\n')[0]!)).toEqual([
        { error: expect.objectContaining({ code: 'SESSION_LOCKED', session: 'scratch' }) },
      ])
      return outcome.code
    })
    expect(code).toBe(4)
    expect((await run('ls --ids --trash', { root: root.path })).stdout).toBe('scratch\n')
  })

  it('refuses to go ahead where nobody can answer, and what makes no sense with it', async () => {
    const { path: root } = await exampleRoot()
    expect(await run('trash --empty', { root })).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    for (const words of ['scratch --empty --yes', '--empty --yes --dry-run', 'scratch --yes', 'scratch -n', '-n']) {
      expect(await run(`trash ${words}`, { root })).toMatchObject({ code: 2, stdout: '' })
    }
    expect((await run('ls --ids --trash', { root })).stdout).toBe('discarded\n')
    expect((await run('ls --ids', { root })).stdout).toContain('scratch')
  })

  it('works on a database, too, whatever is damaged in it', async () => {
    const { path: root } = await exampleRoot()
    const file = join(dirname(root), 'sessions.sqlite')
    await run(`migrate scratch demo --to ${file} --to-backend sqlite`, { root })
    for (let round = 0; round < 3; round++) {
      if (round > 0) await run(`migrate scratch --to ${file}`, { root })
      await run('trash scratch', { root: file })
    }
    const database = new DatabaseSync(file)
    database.exec('UPDATE sessions SET crc = crc + 1 WHERE trashed > 1')
    database.close()
    expect(await run('trash --empty --yes -q', { root: file })).toEqual({
      code: 0,
      stdout: 'scratch\n'.repeat(3),
      stderr: '',
    })
    expect((await run('ls --ids --trash', { root: file })).stdout).toBe('')
    expect((await run('ls --ids', { root: file })).stdout).toBe('demo\n')
  })
})
