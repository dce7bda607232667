import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { writeLog } from './support/log-bytes.js'
import { directoryOf, driverOn, logFile, MemoryDisk, putFile } from './support/memory-root.js'
import { collect, event, header, lines, sampleEvents, toRecords } from './support/records.js'

const id = 's' as SessionId
const records = toRecords(sampleEvents(12))

async function stored(change: (bytes: Buffer) => Buffer = bytes => bytes): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  await (await driverOn(disk).create(header(), records)).close()
  await putFile(disk, `${directoryOf('s')}/log-0.jsonl`, change(logFile(disk).bytes))
  return disk
}

function filesOf(disk: MemoryDisk): string[] {
  const node = disk.find(directoryOf('s'))
  return node?.kind === 'directory' ? [...node.entries.keys()].sort() : []
}

const append =
  (...texts: string[]) =>
  (bytes: Buffer) =>
    Buffer.concat([bytes, Buffer.from(texts.join(''))])
const [row12, row13] = lines(toRecords([event(12), event(13)])) as [string, string]

describe('opening for writing', () => {
  it('leaves an intact log as it is, byte for byte, however often', async () => {
    const disk = await stored()
    const before = logFile(disk).bytes
    for (let round = 0; round < 3; round++) {
      const handle = await driverOn(disk).open(id, 'write')
      expect(handle.recovery).toBeUndefined()
      expect(handle.trustedSeq).toBeUndefined()
      await handle.close()
    }
    expect(logFile(disk).bytes.equals(before)).toBe(true)
    expect(filesOf(disk)).toEqual(['log-0.jsonl'])
  })

  it('cuts a stub, so that the next record stands on a line of its own', async () => {
    const disk = await stored(append(row12.slice(0, 40)))
    const handle = await driverOn(disk).open(id, 'write')
    expect(handle.recovery).toEqual({ torn: true, cutBytes: 40, keptEvents: 0, notes: [] })
    await handle.append(12, toRecords([event(12)]))
    await handle.close()
    const again = await driverOn(disk).open(id, 'read')
    expect(again.recovery).toBeUndefined()
    expect(lines(await collect(again.read({})))).toEqual([...lines(records), row12])
    expect(filesOf(disk)).toEqual(['log-0.jsonl'])
  })

  it('keeps whole rows, and covers them with the next commit line', async () => {
    const disk = await stored(append(`${row12}\n`))
    for (let round = 0; round < 2; round++) {
      const handle = await driverOn(disk).open(id, 'write')
      expect(handle).toMatchObject({ nextSeq: 13, trustedSeq: 12, recovery: { torn: false, keptEvents: 1 } })
      await handle.close()
    }
    const handle = await driverOn(disk).open(id, 'write')
    await handle.append(13, toRecords([event(13)]))
    expect(lines(await collect(handle.read({ from: 11 })))).toEqual([lines(records).at(-1), row12, row13])
    await handle.close()
    const again = await driverOn(disk).open(id, 'write')
    expect(again.recovery).toBeUndefined()
    expect(lines(await collect(again.read({})))).toEqual([...lines(records), row12, row13])
  })

  it('saves what it cuts when that holds a complete line', async () => {
    const tail = `{"type":"a/b","seq":99,"time":1,"data":{}}\n${row12.slice(0, 9)}`
    const disk = await stored(append(tail))
    const { recovery } = await driverOn(disk).open(id, 'write')
    expect(recovery).toMatchObject({
      torn: true,
      cutBytes: tail.length,
      savedTo: expect.stringMatching(/\/cut-\d+-\w{8}\.bytes$/),
    })
    const saved = disk.find(recovery!.savedTo!)
    expect(saved?.kind === 'file' && saved.durable.toString()).toBe(tail)
    expect(filesOf(disk)).toHaveLength(2)
  })

  it('cuts nothing when it cannot save it first', async () => {
    const disk = await stored(append('{"type":"a/b","seq":99,"time":1,"data":{}}\n'))
    const before = logFile(disk).bytes
    disk.faultFor = ({ name, path }) =>
      name === 'write' && path.includes('cut-') ? { kind: 'before', code: 'ENOSPC' } : undefined
    await expect(driverOn(disk).open(id, 'write')).rejects.toMatchObject({ code: 'STORAGE_FAILED', session: 's' })
    expect(logFile(disk).bytes.equals(before)).toBe(true)
  })

  it('seals the last line of a foreign log, and makes the log its own', async () => {
    const plain = () =>
      Buffer.from(`\ufeff${JSON.stringify({ type: 'session', ...header() })}\r\n${lines(records).join('\r\n')}`)
    const disk = await stored(plain)
    const handle = await driverOn(disk).open(id, 'write')
    expect(handle).toMatchObject({ nextSeq: 12, trustedSeq: 0, recovery: { torn: false, keptEvents: 12 } })
    await handle.append(12, toRecords([event(12)]))
    await handle.close()
    const again = await driverOn(disk).open(id, 'write')
    expect(again.recovery).toBeUndefined()
    expect(lines(await collect(again.read({})))).toEqual([...lines(records), row12])
    expect(lines(await collect(again.read({ reverse: true, from: 11 })))[0]).toBe(row12)
  })

  it('covers passed-over lines, and reads around them ever after', async () => {
    const disk = await stored(append(`${row12.slice(0, 45)}\n${row12}\n${row12}\n`))
    const handle = await driverOn(disk).open(id, 'write')
    expect(handle.recovery).toMatchObject({
      torn: false,
      keptEvents: 1,
      notes: [
        expect.stringContaining('the beginning of event 12'),
        expect.stringContaining('a second copy of event 12'),
      ],
    })
    await handle.append(13, toRecords([event(13)]))
    await handle.close()
    for (const mode of ['read', 'write'] as const) {
      const again = await driverOn(disk).open(id, mode)
      expect(again.recovery).toBeUndefined()
      expect(lines(await collect(again.read({})))).toEqual([...lines(records), row12, row13])
    }
  })

  it('refuses a damaged log and changes no byte of it', async () => {
    const disk = await stored(bytes => Buffer.from(bytes.toString().replace('prompt 0', 'promqt 0')))
    const handle = await driverOn(disk)
      .open(id, 'read')
      .catch(error => error)
    expect(handle.code).toBe('SESSION_CORRUPT')
    const before = logFile(disk).bytes
    await expect(driverOn(disk).open(id, 'write')).rejects.toMatchObject({
      code: 'SESSION_CORRUPT',
      session: 's',
      file: `${directoryOf('s')}/log-0.jsonl`,
      line: 2,
      byte: before.indexOf(10) + 1,
    })
    expect(logFile(disk).bytes.equals(before)).toBe(true)
    expect(filesOf(disk)).toEqual(['log-0.jsonl'])
  })

  it('frees the session again when it fails', async () => {
    const disk = await stored()
    const driver = driverOn(disk)
    disk.faultFor = ({ name }) => (name === 'fdatasync' ? { kind: 'before', code: 'EIO' } : undefined)
    await expect(driver.open(id, 'write')).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    disk.faultFor = () => undefined
    await driver.open(id, 'write')
    await driver.close()
    expect(disk.openFiles).toBe(0)
  })

  it('does not take a session that was moved away while it was being opened', async () => {
    const disk = await stored()
    let isMoved = false
    disk.faultFor = ({ name }) => {
      if (name !== 'fstat' || isMoved) return undefined
      isMoved = true
      const root = disk.find('/root')
      if (root?.kind === 'directory') root.entries.delete(directoryOf('s').split('/').at(-1)!)
      return undefined
    }
    await expect(driverOn(disk).open(id, 'write')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
})

describe('a log of several parts', () => {
  async function parts(change: (first: Buffer, second: Buffer) => [Buffer, Buffer] = (...both) => both) {
    const whole = writeLog([5, 7, 3, 30])
    const cut = whole.edges[2]!
    const head = whole.bytes.subarray(0, whole.edges[0]!.byte)
    const disk = new MemoryDisk()
    const [first, second] = change(
      whole.bytes.subarray(0, cut.byte),
      Buffer.concat([head, whole.bytes.subarray(cut.byte)]),
    )
    await putFile(disk, `${directoryOf('s')}/log-0.jsonl`, first)
    await putFile(disk, `${directoryOf('s')}/log-${cut.next}.jsonl`, second)
    return { disk, whole, next: cut.next }
  }

  it('is read as one, and only its last part grows', async () => {
    const { disk, whole, next } = await parts()
    const first = logFile(disk).bytes
    const handle = await driverOn(disk).open(id, 'write')
    expect(handle.nextSeq).toBe(45)
    expect(lines(await collect(handle.read({})))).toEqual(lines(whole.records))
    await handle.append(45, toRecords([event(45)]))
    expect(lines(await collect(handle.read({ reverse: true })))).toEqual(
      lines([...whole.records, ...toRecords([event(45)])]).reverse(),
    )
    await handle.close()
    expect(logFile(disk).bytes).toBe(first)
    expect(logFile(disk, 's', next).bytes.length).toBeGreaterThan(0)
    expect((await driverOn(disk).open(id, 'read')).nextSeq).toBe(46)
  })

  it('may be torn in its last part only', async () => {
    const torn = await parts((first, second) => [first, second.subarray(0, second.length - 7)])
    const { nextSeq, recovery } = await driverOn(torn.disk).open(id, 'write')
    expect(recovery).toMatchObject({ torn: true })
    expect(nextSeq).toBe(45)
    const early = await parts((first, second) => [first.subarray(0, first.length - 7), second])
    for (const attempt of [
      driverOn(early.disk).open(id, 'write'),
      driverOn(early.disk)
        .open(id, 'read')
        .then(handle => collect(handle.read({}))),
    ]) {
      await expect(attempt).rejects.toMatchObject({
        code: 'SESSION_CORRUPT',
        file: expect.stringContaining('log-0.jsonl'),
      })
    }
  })

  it('is refused with a gap between its parts, or without the first', async () => {
    const gap = await parts()
    await gap.disk.rename(`${directoryOf('s')}/log-${gap.next}.jsonl`, `${directoryOf('s')}/log-${gap.next + 1}.jsonl`)
    const { disk, next } = await parts()
    await disk.unlink(`${directoryOf('s')}/log-0.jsonl`)
    for (const broken of [gap.disk, disk]) {
      await expect(driverOn(broken).open(id, 'write')).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
      const reading = driverOn(broken)
        .open(id, 'read')
        .then(handle => collect(handle.read({})))
      await expect(reading).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
    }
    expect(next).toBe(12)
  })

  it('is refused when a part is of another session or a newer version', async () => {
    const other = await parts((first, second) => [
      first,
      Buffer.from(second.toString().replace('"id":"s"', '"id":"t"')),
    ])
    await expect(driverOn(other.disk).open(id, 'read')).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
    const newer = await parts((first, second) => [
      first,
      Buffer.from(second.toString().replace('"version":1', '"version":2')),
    ])
    await expect(driverOn(newer.disk).open(id, 'read')).rejects.toMatchObject({ code: 'FORMAT_UNSUPPORTED' })
    expect(newer.disk.openFiles).toBe(0)
  })
})

describe('a log that cannot be opened', () => {
  it.each([
    ['is empty', () => Buffer.alloc(0), 'an empty file'],
    ['ends within its header', (bytes: Buffer) => bytes.subarray(0, 30), '30 bytes without a line feed'],
    ['is zeros', () => Buffer.alloc(3_000), '3000 bytes without a line feed'],
    [
      'is that of another session',
      (bytes: Buffer) => Buffer.from(bytes.toString().replace('"id":"s"', '"id":"t"')),
      'the header of "t"',
    ],
    [
      'is shorter than what it inherited',
      (bytes: Buffer) => Buffer.from(`${bytes.toString().split('\n')[0]!.replace('}', ',"seedLength":5}')}\n`),
      '0',
    ],
  ])('says so when it %s', async (_, change, found) => {
    const disk = await stored(change)
    for (const mode of ['read', 'write'] as const) {
      await expect(driverOn(disk).open(id, mode)).rejects.toMatchObject({
        code: 'SESSION_CORRUPT',
        found,
        file: expect.stringContaining('log-0.jsonl'),
        byte: expect.any(Number),
      })
    }
    expect(disk.openFiles).toBe(0)
  })

  it('is refused in a newer version, which keeps its bytes', async () => {
    const disk = await stored(bytes => Buffer.from(bytes.toString().replace('"version":1', '"version":2')))
    const before = logFile(disk).bytes
    for (const mode of ['read', 'write'] as const) {
      await expect(driverOn(disk).open(id, mode)).rejects.toMatchObject({ code: 'FORMAT_UNSUPPORTED' })
    }
    expect(logFile(disk).bytes).toBe(before)
  })

  it('has a header of many kilobytes like any other', async () => {
    const disk = new MemoryDisk()
    const head = header('s', { cwd: `/${'x'.repeat(60_000)}` })
    await (await driverOn(disk).create(head, records)).close()
    expect((await driverOn(disk).open(id, 'read')).header).toEqual(head)
    expect((await driverOn(disk).list({})).entries).toMatchObject([{ header: head, nextSeq: 12 }])
  })
})
