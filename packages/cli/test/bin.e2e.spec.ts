import { execFile } from 'node:child_process'
import { readdirSync, symlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { LogBuilder } from './support/log-builder.js'
import { bin, command, start } from './support/processes.js'
import { exampleRoot, TestRoot, temporary } from './support/root.js'
import { jsonLines, run } from './support/run.js'

const writer = fileURLToPath(new URL('./support/writer.ts', import.meta.url))
const node22 = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'node22', 'bin', 'node')
const shell = promisify(execFile)

/** A root in which another process is at work on the session `live`. */
async function rootWithWriter() {
  const root = await exampleRoot()
  const harness = start([writer, root.path, 'live'])
  expect(await harness.nextLine()).toBe('ready')
  const append = async (count: number) => {
    harness.process.stdin.write(`${count}\n`)
    return Number(await harness.nextLine())
  }
  return { root: root.path, harness, append, env: { DSH_SESSION_ROOT: root.path } }
}

/** Whether the lock file of a session can be locked. */
async function canLock(root: string, id: string): Promise<boolean> {
  const { tryLock } = await import('fs-native-extensions')
  const [name] = readdirSync(join(root, '.locks')).filter(name => new RegExp(`^${id}-[0-9a-f]+$`).test(name))
  const file = await open(join(root, '.locks', name!), 'r+')
  try {
    return tryLock(file.fd)
  } finally {
    await file.close()
  }
}

describe('the built command', () => {
  it.each([
    ['the Node of the project', process.execPath],
    ['Node 22', node22],
  ])('runs under %s, from wherever it is linked, and says nothing of its own', async (_, node) => {
    const root = await exampleRoot()
    const link = join(temporary(), 'dsh-session')
    symlinkSync(bin, link)
    const env = { DSH_SESSION_ROOT: root.path }
    const database = join(dirname(root.path), 'all.sqlite')
    const [listed, migrated] = await Promise.all([
      start([link, 'ls', '--ids'], { env, node }).ended,
      start([bin, 'migrate', 'demo', '--to', database], { env, node }).ended,
    ])
    expect(listed).toMatchObject({ code: 0, stdout: 'demo-fork\nbroken\ndemo\nscratch\n', stderr: '' })
    expect(migrated).toMatchObject({ code: 0 })
    const searched = await start([bin, 'search', 'parser', '--root', database, '-n', '99'], { env, node }).ended
    expect(searched).toMatchObject({ code: 0, stdout: expect.stringContaining('demo  #') })
    expect(searched.stderr).not.toMatch(/Experimental|trace-warnings/)
  })

  it('says in one line which Node it needs under one that is older', async () => {
    const older = `
      Object.defineProperty(process, 'versions', { value: { node: '18.12.0' } })
      process.getBuiltinModule = undefined`
    const words = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, bin, 'ls']
    expect(await start(words).ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'dsh-session: needs Node 22.19 or newer, and this is Node 18.12.0\n',
    })
  })

  it('reads from a pipe and writes into one that is closed early', async () => {
    const root = new TestRoot()
    const chunks = Array.from({ length: 30_000 }, (_, index) => `word ${index} `)
    await root.store('long', new LogBuilder().prompt('Long').answer('', { chunks }).end().events)
    const script = `
      set -o pipefail
      "$NODE" "$BIN" events long --json | head -n 2
      echo "codes \${PIPESTATUS[@]}"
      echo '{"messages":[{"role":"user","content":"Hi"}]}' | "$NODE" "$BIN" import - --as piped -q
      echo "code $?"`
    const env = { ...process.env, NODE: process.execPath, BIN: bin, DSH_SESSION_ROOT: root.path }
    const { stdout, stderr } = await shell('bash', ['-c', script], { env })
    const lines = stdout.trim().split('\n')
    expect(lines.slice(0, 2).map(line => JSON.parse(line).seq)).toEqual([0, 1])
    expect(lines[2]).toBe('codes 0 0')
    expect(lines.at(-1)).toBe('code 0')
    expect(stderr).toBe('')
  })
})

const reading = [
  'ls',
  'ls --cwd /tmp',
  'show live',
  'messages live',
  'events live -n 5',
  'tail live',
  'diff demo live',
  'search item',
  'stats',
  'stats live',
  'path live',
  'doctor live',
  'export live',
  'prune --older-than 1d -n',
]

describe('while a harness is writing', () => {
  it('every command that reads does so, and every command that would take the session is refused', async () => {
    const { root, env, append } = await rootWithWriter()
    const here = { root, env }
    const appending = append(1_000)
    for (const line of reading) {
      const { code, stderr } = await run(line, here)
      const said = stderr.replace(/^(\d+ sessions? |nothing was found).*\n/, '')
      expect({ line, code, said }).toEqual({ line, code: line.startsWith('diff') ? 1 : 0, said: '' })
    }
    await appending
    const verified = await run('verify live --json', here)
    expect(jsonLines(verified.stdout)).toEqual([expect.objectContaining({ id: 'live', isIntact: true, events: 1_001 })])
    expect(await run('fork live --as child', here)).toMatchObject({ code: 0, stdout: 'child\n' })
    const refusal = {
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(/^dsh-session: SESSION_LOCKED: .* process \d+ on .*\n$/),
    }
    expect(await run('rm live --yes', here)).toMatchObject(refusal)
    expect(await command(['trash', 'live'], { env })).toMatchObject(refusal)
    expect(await append(1)).toBe(1_002)
    // It is the operating system that refuses, with the lock of the harness: a bundle could do without.
    expect(await canLock(root, 'live')).toBe(false)
    expect(await command(['trash', 'scratch'], { env })).toMatchObject({ code: 0 })
    expect(await canLock(root, 'scratch')).toBe(true)
  })

  it('tail -f shows every event once and in order, across batches of any size, until it is interrupted', async () => {
    const { env, append, harness } = await rootWithWriter()
    const following = start([bin, 'tail', 'live', '-f', '-n', '1', '--json'], { env })
    expect(JSON.parse(await following.nextLine())).toMatchObject({ seq: 0 })
    let length = 0
    for (const count of [1, 150, 7, 400, 1]) length = await append(count)
    harness.process.stdin.end()
    await harness.ended
    const seen = [0]
    while (seen.length < length) seen.push(JSON.parse(await following.nextLine()).seq)
    following.process.kill('SIGINT')
    const { code, stdout, stderr } = await following.ended
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
    expect(seen).toEqual(Array.from({ length }, (_, seq) => seq))
    expect(jsonLines(stdout)).toHaveLength(length)
  })

  it('frees what a harness held that was killed', async () => {
    const { root, env, harness, append } = await rootWithWriter()
    await append(20)
    harness.process.kill('SIGKILL')
    await harness.ended
    expect(await run('verify live', { root })).toMatchObject({ code: 0 })
    expect(await command(['trash', 'live'], { env })).toMatchObject({ code: 0, stdout: 'live\n' })
  })
})

describe('long work', () => {
  it('ends soon when it is interrupted', async () => {
    const root = new TestRoot()
    for (let index = 0; index < 150; index++) {
      await root.store(
        `s${index}`,
        new LogBuilder()
          .prompt('Hello')
          .answer('Hello.', { chunks: ['x'.repeat(2_000)] })
          .end().events,
      )
    }
    const verifying = start([bin, 'verify', '--json'], { env: { DSH_SESSION_ROOT: root.path } })
    await verifying.nextLine()
    verifying.process.kill('SIGINT')
    expect(await verifying.ended).toMatchObject({ code: 130, stderr: '' })
  })
})
