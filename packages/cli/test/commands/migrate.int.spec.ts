import { dirname, join } from 'node:path'
import SqlitePersistence from '@dsh/persistence-sqlite'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import { kindOf } from '../../src/files.js'
import { contentsOf, exampleRoot, temporary } from '../support/root.js'
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

  it('takes what a harness has stored in a database to logs and back, whatever the order of the fields', async () => {
    const cwd = temporary()
    const ctx = new Context()
    await ctx.plugin(SessionStore)
    await ctx.plugin(SqlitePersistence, { file: join(cwd, 'own.sqlite'), durability: 'none' })
    const session = ctx.sessions.create('first', { meta: { cwd: '/w' } })
    session.append('todo/write', { todos: [{ content: 'begin', status: 'pending' }] })
    await ctx.sessions.flush(session)
    await ctx.sessionPersistence.close()
    await ctx.fiber.dispose()
    for (const [from, to] of [
      ['own.sqlite', 'logs'],
      ['logs', 'back.db'],
      ['back.db', 'own.sqlite'],
    ]) {
      expect(await run(`migrate --root ${from} --to ${to}`, { cwd })).toMatchObject({ code: 0, stderr: '' })
    }
    const { stdout } = await run('ls --json --root back.db', { cwd })
    expect(jsonLines(stdout)).toEqual([{ sessions: [expect.objectContaining({ id: 'first', cwd: '/w' })] }])
    expect(kindOf(join(cwd, 'back.db'))).toBe('file')
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
