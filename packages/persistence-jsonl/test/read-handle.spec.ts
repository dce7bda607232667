import { describe, expect, it } from 'vitest'
import { driverOn, logFile, MemoryDisk } from './support/memory-root.js'
import { collect, event, header, lines, sampleEvents, toRecords } from './support/records.js'

const id = header().id
const records = toRecords(sampleEvents(12))

async function stored(): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  await (await driverOn(disk).create(header(), records)).close()
  return disk
}

describe('a handle for reading', () => {
  it('changes nothing, whatever the state of the log', async () => {
    for (const spoil of [0, 5, 90, 300]) {
      const disk = await stored()
      const file = logFile(disk)
      file.bytes = Buffer.concat([file.bytes.subarray(0, file.bytes.length - spoil), Buffer.from('{"type":"x')])
      const before = file.bytes
      const operations = disk.operations.length
      const handle = await driverOn(disk).open(id, 'read')
      await collect(handle.read({}))
      await handle.close()
      expect(logFile(disk).bytes).toBe(before)
      const asked = disk.operations.slice(operations).map(({ name }) => name)
      expect(asked.filter(name => !['lstat', 'readdir', 'open', 'fstat', 'read', 'close'].includes(name))).toEqual([])
    }
  })

  it('leaves out a torn tail, keeps its whole rows and reports both', async () => {
    const disk = await stored()
    const file = logFile(disk)
    const more = lines(toRecords([event(12), event(13)]))
    file.bytes = Buffer.concat([file.bytes, Buffer.from(`${more[0]}\n${more[1]!.slice(0, 30)}`)])
    const handle = await driverOn(disk).open(id, 'read')
    expect(handle).toMatchObject({ nextSeq: 13, trustedSeq: 12, recovery: { torn: true, cutBytes: 30, keptEvents: 1 } })
    expect(lines(await collect(handle.read({ from: 12 })))).toEqual([more[0]])
  })

  it('shows what is committed while it is open, and nothing that is not', async () => {
    const disk = await stored()
    const reader = await driverOn(disk).open(id, 'read')
    const writer = await driverOn(disk).open(id, 'write')
    const from12 = async () => lines(await collect(reader.read({ from: 12 })))
    expect(await from12()).toEqual([])

    const batch = toRecords([event(12), event(13)])
    await writer.append(12, batch)
    expect(await from12()).toEqual(lines(batch))

    const file = logFile(disk)
    file.bytes = Buffer.concat([file.bytes, Buffer.from(`${lines(toRecords([event(14)]))[0]}\n`)])
    expect(await from12()).toEqual(lines(batch))
    expect(reader.nextSeq).toBe(12)
  })

  it('drops kept rows when a commit line covers them, or others in their place', async () => {
    const disk = await stored()
    const file = logFile(disk)
    const committed = file.bytes
    const kept = toRecords([event(12, 'never acknowledged')])
    file.bytes = Buffer.concat([committed, Buffer.from(`${lines(kept)[0]}\n`)])
    const reader = await driverOn(disk).open(id, 'read')
    expect(lines(await collect(reader.read({ from: 12 })))).toEqual(lines(kept))

    file.bytes = committed
    expect(reader.trustedSeq).toBe(12)
    expect(lines(await collect(reader.read({ from: 12 })))).toEqual(lines(kept))
    const writer = await driverOn(disk).open(id, 'write')
    const other = toRecords([event(12, 'acknowledged'), event(13)])
    await writer.append(12, other)
    expect(lines(await collect(reader.read({ from: 12 })))).toEqual(lines(other))
    expect(reader.trustedSeq).toBeUndefined()
  })

  it('reads on from a session that was removed meanwhile', async () => {
    const disk = await stored()
    const reader = await driverOn(disk).open(id, 'read')
    await driverOn(disk).remove(id)
    expect(lines(await collect(reader.read({})))).toEqual(lines(records))
  })

  it('refuses to append, and to read once it is closed', async () => {
    const reader = await driverOn(await stored()).open(id, 'read')
    await expect(reader.append(12, [])).rejects.toMatchObject({ code: 'OWNERSHIP_LOST', session: 's' })
    await reader.close()
    await reader.close()
    await expect(collect(reader.read({}))).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  })

  it('passes a failing disk on with file and session', async () => {
    const disk = await stored()
    const reader = await driverOn(disk).open(id, 'read')
    disk.faultFor = ({ name }) => (name === 'read' || name === 'fstat' ? { kind: 'before', code: 'EIO' } : undefined)
    const place = { file: expect.stringContaining('log-0'), session: 's' }
    await expect(collect(reader.read({}))).rejects.toMatchObject({ code: 'STORAGE_FAILED', ...place })
    disk.faultFor = ({ name }) => (name === 'read' ? { kind: 'before', code: 'EIO' } : undefined)
    await expect(collect(reader.read({}))).rejects.toMatchObject({ code: 'STORAGE_FAILED', ...place })
  })
})
