import type { ListEntry } from '@dsh/persistence/driver'
import { sessionSlug } from '@dsh/persistence/lock'
import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import type { FileSystem } from '../src/fs.js'
import { listSessions as listPage } from '../src/list.js'
import { directoryOf, driverOn, logFile, MemoryDisk, putFile, ROOT } from './support/memory-root.js'
import { event, header, lines, prompt, T0, toRecords } from './support/records.js'

/** Events that lie outside of turns. */
function closedEvents(length: number, from = 0) {
  return toRecords(
    Array.from({ length }, (_, index) =>
      index % 3 === 0 ? prompt(from + index, `prompt ${index}`) : event(from + index),
    ),
  )
}

async function stored(...ids: string[]): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  for (const id of ids) await (await driverOn(disk).create(header(id), closedEvents(12))).close()
  return disk
}

async function listSessions(fs: FileSystem, root: string) {
  return (await listPage(fs, root, {})).entries
}

async function entryOf(disk: MemoryDisk, id = 's') {
  const entries = await listSessions(disk, ROOT)
  return entries.find(entry => entry.id === id)!
}

describe('listSessions', () => {
  it('reads the header and the end of a log, and opens nothing through the thread pool', async () => {
    const disk = await stored('s')
    const before = disk.operations.length
    expect(await entryOf(disk)).toEqual({
      id: 's',
      header: header(),
      nextSeq: 12,
      lastTime: T0 + 11,
      state: 'ok',
      bytes: logFile(disk).bytes.length,
    })
    expect(disk.operations).toHaveLength(before)
  })

  it('reads as little of a large log', async () => {
    const disk = await stored()
    const handle = await driverOn(disk).create(header(), toRecords([event(0, 'x'.repeat(3_000_000))]))
    await handle.append(1, toRecords([event(1)]))
    let bytes = 0
    const read = (fd: number, into: Uint8Array, position: number) => {
      bytes += into.length
      return disk.now.read(fd, into, position)
    }
    const counting: FileSystem = Object.assign(Object.create(disk), { now: { ...disk.now, read } })
    const [entry] = await listSessions(counting, ROOT)
    expect(entry).toMatchObject({ nextSeq: 2, state: 'ok' })
    expect(bytes).toBeLessThan(20_000)
  })

  it('tells the same of a log whether or not it is read at once', async () => {
    const sizes: number[] = []
    // A checksum has a digit more or less, so that one text alone may skip a size.
    const texts = ['x', 'y', 'z'].flatMap(letter =>
      Array.from({ length: 20 }, (_, more) => letter.repeat(3_880 + more)),
    )
    for (const text of texts) {
      const disk = await stored()
      await (await driverOn(disk).create(header(), toRecords([event(0, text)]))).close()
      const before = disk.operations.length
      const bytes = logFile(disk).bytes.length
      sizes.push(bytes)
      expect(await entryOf(disk)).toMatchObject({ bytes, nextSeq: 1, lastTime: T0, state: 'ok' })
      expect(disk.operations).toHaveLength(before)
    }
    expect(sizes).toEqual(expect.arrayContaining([4_095, 4_096, 4_097]))
  })

  it('lists nothing where there is no root', async () => {
    expect(await listSessions(new MemoryDisk(), ROOT)).toEqual([])
  })

  it('shows an open turn as unfinished, where that is cheap to see', async () => {
    const disk = new MemoryDisk()
    const turn = (type: string, seq: number) => ({ type, seq, time: T0, data: { turn: 1 } }) as never
    const handle = await driverOn(disk).create(header(), toRecords([turn('turn/start', 0)]))
    expect((await entryOf(disk)).state).toBe('unfinished')
    await handle.append(1, toRecords([turn('turn/end', 1)]))
    expect((await entryOf(disk)).state).toBe('ok')
  })

  it('shows what recovery would find of a torn tail', async () => {
    const disk = await stored('s')
    const file = logFile(disk)
    file.bytes = Buffer.concat([file.bytes, Buffer.from(`${lines(toRecords([event(12)]))[0]}\n{"ty`)])
    expect(await entryOf(disk)).toMatchObject({ state: 'unfinished', nextSeq: 13, lastTime: T0 + 12 })
    expect((await driverOn(disk).open('s' as SessionId, 'write')).nextSeq).toBe(13)
  })

  it('flags each broken session and hides none of the others', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `s${index}`)
    const disk = await stored(...ids)
    const spoil: [string, (bytes: Buffer) => Buffer][] = [
      ['s0', () => Buffer.alloc(0)],
      ['s1', bytes => Buffer.alloc(bytes.length)],
      ['s2', bytes => bytes.subarray(0, 20)],
      ['s3', bytes => Buffer.from(bytes.toString().replace('"version":1', '"version":7'))],
      ['s4', bytes => Buffer.from(bytes.toString().replace('prompt 0', 'promqt 0'))],
      ['s5', bytes => Buffer.from(bytes.toString().replace('"id":"s5"', '"id":"s6"'))],
      ['s7', bytes => Buffer.concat([Buffer.from('not a log\n'), bytes])],
    ]
    for (const [id, change] of spoil) {
      const file = logFile(disk, id)
      file.bytes = change(file.bytes)
    }
    await disk.rename(`${directoryOf('s8')}/log-0.jsonl`, `${directoryOf('s8')}/log-5.jsonl`)

    const entries = await listSessions(disk, ROOT)
    expect(entries).toHaveLength(20)
    const broken = entries.filter(({ state }) => state === 'corrupt')
    for (const { error } of broken)
      expect(error).toMatchObject({ code: expect.stringMatching(/SESSION_CORRUPT|FORMAT_UNSUPPORTED/) })
    const ok = entries.filter(({ state }) => state === 'ok').map(({ id }) => id)
    // What only reading all of it shows is told when it is read.
    expect(ok.sort()).toEqual(ids.filter(id => !['s0', 's1', 's2', 's3', 's5', 's7', 's8'].includes(id)).sort())
    expect(broken.find(({ id }) => id === 's3')?.error).toMatchObject({ code: 'FORMAT_UNSUPPORTED' })
  })

  it('survives a thousand broken neighbours', async () => {
    const disk = await stored('fine')
    for (let index = 0; index < 1_000; index++) {
      await putFile(disk, `${ROOT}/broken-${index}/log-0.jsonl`, Buffer.alloc(index % 50))
    }
    const entries = await listSessions(disk, ROOT)
    expect(entries.filter(({ state }) => state === 'corrupt')).toHaveLength(1_000)
    expect(entries.filter(({ state }) => state === 'ok').map(({ id }) => id)).toEqual(['fine'])
  })

  it('shows a session once, and says so of a directory that was copied', async () => {
    const disk = await stored('s')
    await putFile(disk, `${ROOT}/copy/log-0.jsonl`, logFile(disk).bytes)
    const entries = await listSessions(disk, ROOT)
    expect(entries.map(({ id, state }) => [id, state])).toEqual(
      expect.arrayContaining([
        ['s', 'ok'],
        ['s', 'corrupt'],
      ]),
    )
    expect(entries.find(({ state }) => state === 'corrupt')!.error!.message).toContain('a directory named s-')
  })

  it('leaves out what is no session', async () => {
    const disk = await stored('s')
    await putFile(disk, `${ROOT}/notes.txt`, 'x')
    await putFile(disk, `${ROOT}/.hidden/log-0.jsonl`, 'x')
    await putFile(disk, `${ROOT}/sessions.sqlite.locks/${sessionSlug('s')}`, '')
    await disk.mkdir(`${ROOT}/notes`)
    await disk.mkdir(`${ROOT}/backup.2`)
    expect(await listSessions(disk, ROOT)).toHaveLength(1)
  })

  it('leaves out no broken session whose directory has the name or the files of one', async () => {
    const disk = await stored('s')
    const slugs = [sessionSlug('empty'), `${sessionSlug('numbered')}.1`]
    for (const slug of slugs) await disk.mkdir(`${ROOT}/${slug}`)
    await putFile(disk, `${ROOT}/renamed/log-7.jsonl`, 'x')
    const broken = (await listSessions(disk, ROOT)).filter(({ state }) => state === 'corrupt')
    expect(broken.map(({ id }) => id).sort()).toEqual([...slugs, 'renamed'].sort())
  })

  it('shows a session of several parts whole', async () => {
    const disk = await stored('s')
    const [head] = logFile(disk).bytes.toString().split('\n')
    const { writeBatches } = await import('./support/log-bytes.js')
    const whole = writeBatches([closedEvents(12), closedEvents(5, 12)])
    const second = Buffer.concat([Buffer.from(`${head}\n`), whole.bytes.subarray(whole.edges[1]!.byte)])
    await putFile(disk, `${directoryOf('s')}/log-12.jsonl`, second)
    const bytes = logFile(disk).bytes.length + second.length
    expect(await entryOf(disk)).toMatchObject({ nextSeq: 17, lastTime: T0 + 16, state: 'ok', bytes })
  })

  it('flags a session one part of which is of another', async () => {
    const disk = await stored('s')
    const head = logFile(disk).bytes.toString().split('\n')[0]!.replace('"id":"s"', '"id":"t"')
    await putFile(disk, `${directoryOf('s')}/log-12.jsonl`, `${head}\n`)
    const [entry] = await listSessions(disk, ROOT)
    expect(entry).toMatchObject({ state: 'corrupt', error: { code: 'SESSION_CORRUPT', found: 'the header of "t"' } })
  })

  it('gives the records of small intact sessions on request, of those that are shown', async () => {
    const disk = await stored('a', 'b', 'damaged', 'torn', 'copied')
    const large = await driverOn(disk).create(header('large'), toRecords([event(0, 'x'.repeat(100_000))]))
    await large.close()
    await (await driverOn(disk).create(header('empty'), [])).close()
    const spoil = (id: string, change: (bytes: Buffer) => Buffer) => {
      logFile(disk, id).bytes = change(logFile(disk, id).bytes)
    }
    spoil('damaged', bytes => Buffer.from(bytes.toString().replace('prompt 0', 'promqt 0')))
    spoil('torn', bytes => Buffer.concat([bytes, Buffer.from('{"ty')]))
    await putFile(disk, `${ROOT}/copy/log-0.jsonl`, logFile(disk, 'copied').bytes)

    const { entries } = await listPage(disk, ROOT, { withRecords: true })
    const withRecords = entries.filter(({ records }) => records !== undefined)
    expect(withRecords.map(({ id }) => id).sort()).toEqual(['a', 'b', 'copied', 'empty'])
    for (const { id, records } of withRecords) {
      expect(lines(records!)).toEqual(id === 'empty' ? [] : lines(closedEvents(12)))
    }

    const page = await listPage(disk, ROOT, { withRecords: true, limit: 2, order: 'oldest' })
    expect(page.entries).toHaveLength(2)
    const others = (list: readonly ListEntry[]) => list.filter(({ id }) => id !== 'damaged')
    expect(others(await listSessions(disk, ROOT))).toEqual(others(entries).map(({ records: _, ...entry }) => entry))
  })

  it('flags damage in the middle of a small log where its records are asked for', async () => {
    const disk = await stored()
    const handle = await driverOn(disk).create(header(), closedEvents(5))
    await handle.append(5, closedEvents(5, 5))
    await handle.append(10, closedEvents(5, 10))
    await handle.close()
    const bytes = Buffer.from(logFile(disk).bytes)
    bytes[bytes.indexOf('prompt')]! ^= 1
    logFile(disk).bytes = bytes
    expect((await listPage(disk, ROOT, { withRecords: true })).entries).toMatchObject([
      { id: 's', nextSeq: 15, state: 'corrupt', error: { code: 'SESSION_CORRUPT', session: 's' } },
    ])
  })

  it('leaves out a session that is removed while it is looked at', async () => {
    const disk = await stored('s', 'other')
    logFile(disk).bytes = logFile(disk).bytes.subarray(0, -3)
    disk.faultFor = ({ name, path }) => {
      if (name === 'open' && path.startsWith(directoryOf('s'))) {
        const root = disk.find(ROOT)
        if (root?.kind === 'directory') root.entries.delete(sessionSlug('s'))
      }
      return undefined
    }
    expect((await listSessions(disk, ROOT)).map(({ id }) => id)).toEqual(['other'])
  })

  it('gives no more records than it has memory for', async () => {
    const disk = new MemoryDisk()
    const records = toRecords([event(0, 'x'.repeat(60_000))])
    for (let index = 0; index < 300; index++) await (await driverOn(disk).create(header(`s${index}`), records)).close()
    const { entries } = await listPage(disk, ROOT, { withRecords: true })
    const given = entries.filter(entry => entry.records !== undefined)
    expect(given.length).toBeGreaterThan(200)
    expect(given.length).toBeLessThan(300)
    expect(entries.every(({ state }) => state === 'ok')).toBe(true)
  })

  it('passes on that the root cannot be read', async () => {
    const disk = new MemoryDisk()
    await putFile(disk, ROOT, 'a file')
    await expect(listSessions(disk, ROOT)).rejects.toMatchObject({ code: 'STORAGE_FAILED', file: ROOT })
  })
})
