import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocker } from '@dsh/persistence/lock'
import { isSessionError, type SessionId } from '@dsh/session'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JsonlDriver } from '../src/driver.js'
import { LOCKS, sessionPaths } from '../src/layout.js'
import { nodeFileSystem } from '../src/node-fs.js'
import { collect, event, header, lines, sampleEvents, toRecords } from './support/records.js'

let root: string
let driver: JsonlDriver

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'driver-'))
  driver = new JsonlDriver({ root })
})

afterEach(async () => {
  await driver.close()
  rmSync(root, { recursive: true })
})

const id = 's' as SessionId

describe('JsonlDriver', () => {
  it.each([
    [{ root: 'relative' }, 'root'],
    [{ root: '' }, 'root'],
    [{ root: '/with\u0000nul' }, 'root'],
    [{ root: 7 }, 'root'],
    [{}, 'root'],
    [undefined, 'root'],
    [{ root: '/x', durability: 'fast' }, 'durability'],
  ])('refuses the options %j', (options, path) => {
    expect(() => new JsonlDriver(options as never)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', path }))
  })

  it('keeps sessions and what lies around them to their owner', async () => {
    const deep = new JsonlDriver({ root: join(root, 'a', 'b') })
    await (await deep.create(header(), toRecords([event(0)]))).close()
    await deep.close()
    const modes = (path: string): string[] =>
      readdirSync(path, { withFileTypes: true }).flatMap(entry => {
        const inner = join(path, entry.name)
        const mode = (statSync(inner).mode & 0o777).toString(8)
        return entry.isDirectory() ? [`directory ${mode}`, ...modes(inner)] : [`file ${mode}`]
      })
    expect(new Set(modes(root))).toEqual(new Set(['directory 700', 'file 600']))
  })

  it('writes lines that any tool can read, its records byte for byte', async () => {
    const records = toRecords(sampleEvents(12))
    const handle = await driver.create(header('s', { cwd: '/work' }), records.slice(0, 2))
    await handle.append(handle.nextSeq, records.slice(2))
    const text = readFileSync(driver.locate(handle.header), 'utf8')
    expect(text.endsWith('\n')).toBe(true)
    const written = text.trimEnd().split('\n')
    expect(JSON.parse(written[0]!)).toEqual({ type: 'session', ...header('s', { cwd: '/work' }) })
    expect(written.filter(line => !/^\{"type":"(session|commit)"/.test(line))).toEqual(lines(records))
    expect(written.filter(line => line.startsWith('{"type":"commit"'))).toHaveLength(2)
  })

  it('says at once that its root cannot be used', async () => {
    writeFileSync(join(root, 'file'), '')
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))
    for (const bad of ['file', 'file/below', 'dangling', 'dangling/below']) {
      const broken = new JsonlDriver({ root: join(root, bad) })
      await expect(broken.connect()).rejects.toMatchObject({ code: 'STORAGE_FAILED', file: join(root, bad) })
      await expect(broken.create(header(), [])).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    }
    await driver.connect()
    await new JsonlDriver({ root: join(root, 'new', 'root') }).connect()
    expect(readdirSync(join(root, 'new'))).toEqual(['root'])
  })

  it('works in a root that is a link', async () => {
    mkdirSync(join(root, 'real'))
    symlinkSync(join(root, 'real'), join(root, 'link'))
    const linked = new JsonlDriver({ root: join(root, 'link') })
    await (await linked.create(header(), [])).close()
    expect((await new JsonlDriver({ root: join(root, 'real') }).list({})).entries).toHaveLength(1)
  })

  it('creates nothing by being asked for what is not there', async () => {
    const elsewhere = join(root, 'not-yet')
    const empty = new JsonlDriver({ root: elsewhere })
    for (const mode of ['read', 'write'] as const) {
      await expect(empty.open(id, mode)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    }
    await expect(empty.remove(id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(empty.restore(id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect((await empty.list({})).entries).toEqual([])
    expect(empty.exists(id)).toBe(false)
    expect(readdirSync(root)).toEqual([])
  })

  it('follows no link out of its root: not in opening, listing or removing', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'))
    const other = new JsonlDriver({ root: outside })
    await (await other.create(header(), toRecords([event(0)]))).close()
    const { directory, slug } = sessionPaths(root, id)
    await driver.connect()
    symlinkSync(join(outside, slug), directory)
    for (const mode of ['read', 'write'] as const) {
      await expect(driver.open(id, mode)).rejects.toMatchObject({ code: 'SESSION_CORRUPT', found: 'something else' })
    }
    await expect(driver.create(header(), [])).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
    expect((await driver.list({})).entries).toMatchObject([{ state: 'corrupt' }])
    await driver.remove(id)
    expect((await other.open(id, 'read')).nextSeq).toBe(1)

    mkdirSync(directory)
    symlinkSync(join(outside, slug, 'log-0.jsonl'), join(directory, 'log-0.jsonl'))
    await expect(driver.open(id, 'write')).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    await driver.remove(id)
    expect((await other.open(id, 'read')).nextSeq).toBe(1)
    await other.close()
    rmSync(outside, { recursive: true })
  })

  it('loses its ownership when its session is taken away, and says so', async () => {
    for (const takeAway of [
      () => rmSync(sessionPaths(root, id).directory, { recursive: true }),
      () => writeFileSync(driver.locate(header()), 'something else'),
    ]) {
      const handle = await driver.create(header(), toRecords([event(0)]))
      takeAway()
      await expect(handle.append(1, toRecords([event(1)]))).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
      await handle.close()
      rmSync(sessionPaths(root, id).directory, { recursive: true, force: true })
    }
  })

  it('goes on writing to a session whose root was renamed', async () => {
    const handle = await driver.create(header(), toRecords([event(0)]))
    renameSync(root, `${root}-moved`)
    await handle.append(1, toRecords([event(1)]))
    await handle.close()
    renameSync(`${root}-moved`, root)
    expect((await driver.open(id, 'read')).nextSeq).toBe(2)
  })

  it('keeps lock files, which are never removed, out of the list', async () => {
    await (await driver.create(header(), [])).close()
    await driver.remove(id)
    expect(readdirSync(join(root, LOCKS))).toEqual([sessionPaths(root, id).slug])
    expect((await driver.list({})).entries).toEqual([])
  })

  it('lets the event loop go on while it lists thousands of sessions', async () => {
    const [seed] = [await driver.create(header('seed'), [])]
    await seed!.close()
    const text = readFileSync(driver.locate(header('seed')), 'utf8')
    for (let index = 0; index < 3_000; index++) {
      const { directory } = sessionPaths(root, `s${index}`)
      mkdirSync(directory)
      // Another id has another checksum; without a commit line it is a foreign log, which has to be opened.
      writeFileSync(join(directory, 'log-0.jsonl'), `${text.split('\n')[0]!.replace('"seed"', `"s${index}"`)}\n`)
    }
    let turns = 0
    let isListing = true
    const count = () => {
      turns++
      if (isListing) setImmediate(count)
    }
    setImmediate(count)
    const { entries } = await driver.list({})
    isListing = false
    expect(entries).toHaveLength(3_001)
    expect(turns).toBeGreaterThan(3)
  })

  it('refuses everything once it is closed, after what was under way', async () => {
    const creating = driver.create(header(), toRecords([event(0)]))
    await driver.close()
    const handle = await creating
    await expect(handle.append(1, toRecords([event(1)]))).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    for (const attempt of [
      driver.open(id, 'read'),
      driver.list({}),
      driver.create(header('t'), []),
      driver.remove(id),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'STORAGE_FAILED', details: { indeterminate: false } })
    }
    const next = new JsonlDriver({ root })
    const successor = await next.open(id, 'write')
    expect(lines(await collect(successor.read({})))).toEqual(lines(toRecords([event(0)])))
    await next.close()
  })

  it('grows by what is appended, however long the log is', async () => {
    const handle = await driver.create(header(), [])
    const size = () => statSync(driver.locate(header())).size
    let grown: number[] = []
    for (let seq = 0; seq < 300; seq++) {
      const before = size()
      await handle.append(seq, toRecords([event(seq, 'x'.repeat(100), 1_000_000)]))
      grown.push(size() - before)
    }
    grown = grown.slice(100)
    expect(Math.max(...grown) - Math.min(...grown)).toBeLessThan(12)
  })

  it('reports only errors of its own kind', async () => {
    const error = await driver.open('nobody' as SessionId, 'write').catch(error => error)
    expect(isSessionError(error)).toBe(true)
    const now = { ...nodeFileSystem.now }
    now.exists = () => {
      throw Object.assign(new Error('EACCES: lstat'), { code: 'EACCES' })
    }
    const locked = new JsonlDriver({ root }, { fs: { ...nodeFileSystem, now }, locker: createLocker() })
    const failed = expect.objectContaining({ code: 'STORAGE_FAILED', session: 'nobody' })
    expect(() => locked.exists('nobody' as SessionId)).toThrow(failed)
    await expect(locked.open('nobody' as SessionId, 'write')).rejects.toEqual(failed)
  })
})
