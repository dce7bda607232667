import type { TolerantItem } from '@dsh/persistence/driver'
import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { writeLog } from './support/log-bytes.js'
import { directoryOf, driverOn, logFile, MemoryDisk, putFile } from './support/memory-root.js'
import { header, lines, sampleEvents, toRecords } from './support/records.js'

const id = 's' as SessionId
const records = toRecords(sampleEvents(12))

async function stored(change: (bytes: Buffer) => Buffer = bytes => bytes): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  await (await driverOn(disk).create(header(), records)).close()
  await putFile(disk, `${directoryOf('s')}/log-0.jsonl`, change(logFile(disk).bytes))
  return disk
}

async function read(disk: MemoryDisk) {
  const { header: head, items } = await driverOn(disk).readTolerant(id)
  const all: TolerantItem[] = []
  for await (const item of items) all.push(item)
  const found = all.flatMap(item => (item.kind === 'records' ? lines(item.records) : []))
  const unreadable = all.filter(item => item.kind === 'unreadable')
  expect(disk.openFiles).toBe(0)
  return { head, found, unreadable }
}

describe('readTolerant', () => {
  it('reads all rows behind a header that cannot be read', async () => {
    for (const change of [
      (bytes: Buffer) => Buffer.from(bytes).fill(0, 0, 20),
      (bytes: Buffer) => bytes.subarray(bytes.indexOf(10) + 1),
      (bytes: Buffer) => bytes.subarray(15),
    ]) {
      const { head, found, unreadable } = await read(await stored(change))
      expect(head).toBeUndefined()
      expect(found).toEqual(lines(records))
      expect(unreadable[0]).toMatchObject({ byte: 0 })
    }
  })

  it('reads the log of another session, and says that it is one', async () => {
    const { head, found, unreadable } = await read(
      await stored(bytes => Buffer.from(bytes.toString().replace('"id":"s"', '"id":"t"'))),
    )
    expect(head).toBeUndefined()
    expect(found).toEqual(lines(records))
    expect(unreadable[0]!.reason).toContain('session "t"')
  })

  it('reads the parts that are there', async () => {
    const whole = writeLog([5, 7])
    const head = whole.bytes.subarray(0, whole.edges[0]!.byte)
    const disk = new MemoryDisk()
    await putFile(
      disk,
      `${directoryOf('s')}/log-5.jsonl`,
      Buffer.concat([head, whole.bytes.subarray(whole.edges[1]!.byte)]),
    )
    const { head: found, ...rest } = await read(disk)
    expect(found).toEqual(header())
    expect(rest.found).toEqual(lines(whole.records.filter(({ seq }) => seq >= 5)))
    expect(rest.unreadable).toEqual([{ kind: 'unreadable', reason: 'the part log-0.jsonl is missing' }])
  })

  it('gives nothing, and says so, of an empty log, a directory without one, and one that is a link', async () => {
    expect(await read(await stored(() => Buffer.alloc(0)))).toMatchObject({ found: [], unreadable: [{ byte: 0 }] })
    const without = await stored()
    await without.unlink(`${directoryOf('s')}/log-0.jsonl`)
    expect(await read(without)).toMatchObject({
      found: [],
      unreadable: [{ reason: expect.stringContaining('missing') }],
    })
    const linked = await stored()
    linked.faultFor = ({ name }) => (name === 'open' ? { kind: 'before', code: 'ELOOP' } : undefined)
    expect(await read(linked)).toMatchObject({
      found: [],
      unreadable: [{ reason: expect.stringContaining('ELOOP') }],
    })
  })

  it.each(['EACCES', 'EMFILE'])('fails when it may not or cannot open the log at the moment: %s', async code => {
    const disk = await stored()
    disk.faultFor = ({ name }) => (name === 'open' ? { kind: 'before', code } : undefined)
    await expect(driverOn(disk).readTolerant(id)).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      session: 's',
      file: expect.stringContaining('log-0'),
    })
  })

  it('leaves a newer version to a newer release', async () => {
    const disk = await stored(bytes => Buffer.from(bytes.toString().replace('"version":1', '"version":2')))
    await expect(driverOn(disk).readTolerant(id)).rejects.toMatchObject({ code: 'FORMAT_UNSUPPORTED' })
  })
})
