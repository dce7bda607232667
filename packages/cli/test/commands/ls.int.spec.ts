import { describe, expect, it } from 'vitest'
import { LogBuilder, START } from '../support/log-builder.js'
import { sharedRoot, TestRoot } from '../support/root.js'
import { jsonLines, run } from '../support/run.js'

const shared = sharedRoot()
const ls = (command: string, options: object = {}) => run(`ls ${command}`, { root: shared.path, ...options })

interface Listing {
  readonly sessions: readonly Record<string, unknown>[]
  readonly cursor?: string
}

async function list(command: string): Promise<Listing> {
  const { code, stdout, stderr } = await ls(`${command} --json`)
  expect({ code, stderr: command.includes('--ids') ? '' : stderr.replace(/^no sessions.*\n/, '') }).toEqual({
    code: 0,
    stderr: '',
  })
  return jsonLines(stdout)[0] as unknown as Listing
}

const ids = ({ sessions }: Listing) => sessions.map(({ id }) => id)

describe('ls', () => {
  it('gives a program all that a list knows, with times as ISO 8601', async () => {
    const { sessions } = await list('')
    expect(ids({ sessions })).toEqual(['demo-fork', 'broken', 'demo', 'scratch'])
    expect(sessions[0]).toEqual({
      id: 'demo-fork',
      state: 'ok',
      createdAt: '2026-01-15T09:30:00.000Z',
      lastTime: '2026-01-15T10:30:01.200Z',
      events: 23,
      turns: 2,
      title: 'Find the longest file of this directory, and say in one sentence what it is for',
      bytes: expect.any(Number),
      cwd: '/home/sam/projects/configuration-parser',
      parentSession: 'demo',
      seedLength: 17,
    })
  })

  it('narrows by directory, parent, state and age', async () => {
    expect(ids(await list('--cwd /tmp'))).toEqual(['scratch'])
    expect(ids(await list('--parent demo'))).toEqual(['demo-fork'])
    expect(ids(await list('--state unfinished'))).toEqual([])
    expect(ids(await list('--since 23h'))).toEqual(['demo-fork'])
    expect(ids(await list('--since 2026-01-01 --oldest'))).toEqual(['scratch', 'demo', 'broken', 'demo-fork'])
    expect(ids(await list('--trash'))).toEqual(['discarded'])
  })

  it('takes a relative directory from where it is called', async () => {
    const { stdout } = await ls('--cwd app --ids', { cwd: '/srv' })
    expect(stdout).toBe('broken\n')
  })

  it('pages through all of them, each once', async () => {
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const page: Listing = await list(cursor === undefined ? '-n 3' : `-n 3 --cursor ${cursor}`)
      seen.push(...ids(page))
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(seen).toEqual(['demo-fork', 'broken', 'demo', 'scratch'])
  })

  it('tells a person that there are more, and how to get them, on standard error', async () => {
    const { stdout, stderr } = await ls('-n 1 --ids')
    expect(stdout).toBe('demo-fork\n')
    expect(stderr).toMatch(/^there are more: --cursor '.+', or --all\n$/)
    expect((await ls('-n 1 --quiet')).stderr).toBe('')
    expect((await ls('--all')).stderr).toBe('')
  })

  it('finds enough that match, however many do not', async () => {
    const root = new TestRoot()
    for (let index = 0; index < 12; index++) {
      const log = new LogBuilder([], START + index).prompt(`Question ${index}`)
      await root.store(`s${index}`, (index % 4 === 0 ? log : log.end()).events)
    }
    const { stdout } = await run('ls --state unfinished -n 2 --ids', { root: root.path })
    expect(stdout).toBe('s8\ns4\n')
  })

  it('says that a root is empty, and prints an empty list', async () => {
    const root = new TestRoot()
    await root.use(driver => driver.connect())
    expect(await run('ls', { root: root.path })).toEqual({
      code: 0,
      stdout: '',
      stderr: `no sessions in ${root.path}\n`,
    })
    expect((await run('ls --json', { root: root.path })).stdout).toBe('{"sessions":[]}\n')
  })

  it('lists what cannot be read, with the reason, and everything beside it', async () => {
    const root = new TestRoot()
    await root.store('good', new LogBuilder().prompt('Hello').end().events)
    await root.store('bad', new LogBuilder().prompt('Hello').end().events)
    root.damage('bad', bytes => bytes.fill(0x23, 0, 20))
    const { sessions } = jsonLines((await run('ls --json', { root: root.path })).stdout)[0] as unknown as Listing
    expect(sessions).toHaveLength(2)
    expect(sessions).toContainEqual(expect.objectContaining({ id: 'good', state: 'ok' }))
    expect(sessions).toContainEqual(
      expect.objectContaining({ state: 'corrupt', error: expect.stringContaining('SESSION_CORRUPT') }),
    )
    expect((await run('ls', { root: root.path, columns: 100 })).stdout).toContain('corrupt')
  })

  it.each([
    ['--all --limit 5', 'exclude each other'],
    ['--limit 0', 'from 1'],
    ['--state fine', 'one of ok, unfinished, corrupt'],
    ['--since soon', 'an age'],
    ['--cursor nonsense', 'a cursor from an earlier page'],
  ])('refuses %s', async (command, words) => {
    const { code, stdout, stderr } = await ls(command)
    expect({ stdout, isRefused: code === 2 || code === 4 }).toEqual({ stdout: '', isRefused: true })
    expect(stderr).toContain(words)
    expect(stderr.split('\n')).toHaveLength(2)
  })
})
