import type { DriverHandle } from '@dsh/persistence/driver'
import { describe, expect, it } from 'vitest'
import type { Fault } from './support/memory-disk.js'
import { applyChange } from './support/memory-disk.js'
import { driverOn, logFile, MemoryDisk } from './support/memory-root.js'
import { collect, event, header, lines, sampleEvents, toRecords } from './support/records.js'

async function begin(): Promise<{ disk: MemoryDisk; handle: DriverHandle }> {
  const disk = new MemoryDisk()
  return { disk, handle: await driverOn(disk).create(header(), toRecords(sampleEvents(5))) }
}

const next = toRecords(sampleEvents(7, 5))

function failOnce(disk: MemoryDisk, operation: string, fault: Fault): void {
  let isPending = true
  disk.faultFor = ({ name }) => {
    if (name !== operation || !isPending) return undefined
    isPending = false
    return fault
  }
}

/** Names of the operations on the log that one append asks for. */
async function operationsOf(disk: MemoryDisk, append: () => Promise<unknown>): Promise<string[]> {
  const before = disk.operations.length
  await append().catch(() => {})
  return disk.operations.slice(before).map(({ name }) => name)
}

describe('an append', () => {
  it('looks at the file, writes once and syncs once', async () => {
    const { disk, handle } = await begin()
    expect(await operationsOf(disk, () => handle.append(5, next))).toEqual(['fstat', 'write', 'fdatasync'])
    const { bytes, durable } = logFile(disk)
    expect(durable.equals(bytes)).toBe(true)
  })

  it('does not sync when it is told that nothing has to be durable', async () => {
    const disk = new MemoryDisk()
    const handle = await driverOn(disk, 'none').create(header(), [])
    await handle.append(0, toRecords([event(0)]))
    expect(disk.operations.filter(({ name }) => name.includes('sync'))).toEqual([])
  })

  it('leaves nothing of a write that failed, and writes the same bytes when it is tried again', async () => {
    for (const fault of [
      { kind: 'short', bytes: 40, code: 'ENOSPC' },
      { kind: 'after', code: 'EIO' },
      { kind: 'before', code: 'EIO' },
    ] as const) {
      const { disk, handle } = await begin()
      const before = logFile(disk).bytes
      failOnce(disk, 'write', fault)
      await expect(handle.append(5, next)).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
        session: 's',
        file: expect.stringContaining('log-0.jsonl'),
        details: { indeterminate: false, errno: fault.code },
      })
      expect(logFile(disk).bytes.equals(before)).toBe(true)
      expect(handle.nextSeq).toBe(5)
      await handle.append(5, next)

      const other = await begin()
      await other.handle.append(5, next)
      expect(logFile(disk).bytes.equals(logFile(other.disk).bytes)).toBe(true)
    }
  })

  it('writes again what a failed sync was to make durable, and never only syncs again', async () => {
    const { disk, handle } = await begin()
    failOnce(disk, 'fdatasync', { kind: 'before', code: 'EIO' })
    await expect(handle.append(5, next)).rejects.toThrow('STORAGE_FAILED')
    expect(await operationsOf(disk, () => handle.append(5, next))).toEqual(['fstat', 'write', 'fdatasync'])
    const { bytes, durable, pending } = logFile(disk)
    expect(pending).toEqual([])
    expect(durable.equals(bytes)).toBe(true)
  })

  it('cuts back before it writes again when it could not do so at once', async () => {
    const { disk, handle } = await begin()
    disk.faultFor = ({ name }) =>
      name === 'fdatasync' || name === 'ftruncate' ? { kind: 'before', code: 'EIO' } : undefined
    await expect(handle.append(5, next)).rejects.toThrow('STORAGE_FAILED')
    await expect(handle.append(5, next)).rejects.toThrow('STORAGE_FAILED')
    disk.faultFor = () => undefined
    const operations = await operationsOf(disk, () => handle.append(5, next))
    expect(operations).toEqual(['fstat', 'ftruncate', 'fdatasync', 'fstat', 'write', 'fdatasync'])
    expect(lines(await collect(handle.read({ from: 5 })))).toEqual(lines(next))
  })

  it('takes other records, too, once it has cut back', async () => {
    const { disk, handle } = await begin()
    failOnce(disk, 'fdatasync', { kind: 'before', code: 'EIO' })
    await expect(handle.append(5, next)).rejects.toThrow('STORAGE_FAILED')
    const other = toRecords([event(5, 'something else')])
    await handle.append(5, other)
    expect(lines(await collect(handle.read({ from: 5 })))).toEqual(lines(other))
  })

  it('stores a large batch as a whole or not at all', async () => {
    const large = toRecords(Array.from({ length: 30 }, (_, index) => event(5 + index, 'x'.repeat(100_000))))
    const { disk, handle } = await begin()
    const before = logFile(disk).bytes.length
    let syncs = 0
    disk.faultFor = ({ name }) => (name === 'fdatasync' && ++syncs === 2 ? { kind: 'before', code: 'EIO' } : undefined)
    await expect(handle.append(5, large)).rejects.toThrow('STORAGE_FAILED')
    expect(handle.nextSeq).toBe(5)
    expect(logFile(disk).bytes).toHaveLength(before)

    // A commit line that follows proves that this one was synced, so each is, before the next byte is written.
    const operations = await operationsOf(disk, () => handle.append(5, large))
    expect(operations.join(' ')).toMatch(/^fstat( write fdatasync){3,}$/)
    expect(lines(await collect(handle.read({ from: 5 })))).toEqual(lines(large))
  })

  it.each([
    [
      'was deleted',
      (disk: MemoryDisk) => disk.unlink(`${disk.operations.findLast(({ name }) => name === 'write')!.path}`),
    ],
    ['became longer', async (disk: MemoryDisk) => append(disk, 'x')],
    ['became shorter', async (disk: MemoryDisk) => truncate(disk)],
  ])('is refused for good when the file %s', async (_, meddle) => {
    const { disk, handle } = await begin()
    await handle.append(5, next)
    await meddle(disk)
    const writes = () => disk.operations.filter(({ name }) => name === 'write').length
    const before = writes()
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(handle.append(12, toRecords([event(12)]))).rejects.toMatchObject({
        code: 'OWNERSHIP_LOST',
        session: 's',
      })
    }
    expect(writes()).toBe(before)
  })

  it('is refused when somebody else wrote behind a failed append', async () => {
    const { disk, handle } = await begin()
    disk.faultFor = ({ name }) => (name === 'fdatasync' ? { kind: 'before', code: 'EIO' } : undefined)
    await expect(handle.append(5, next)).rejects.toThrow('STORAGE_FAILED')
    disk.faultFor = () => undefined
    append(disk, 'x'.repeat(100_000))
    await expect(handle.append(5, next)).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
    expect(logFile(disk).bytes.length).toBeGreaterThan(100_000)
  })
})

function append(disk: MemoryDisk, text: string): void {
  const file = logFile(disk)
  file.bytes = applyChange(file.bytes, { kind: 'write', at: file.bytes.length, bytes: Buffer.from(text) })
}

function truncate(disk: MemoryDisk): void {
  const file = logFile(disk)
  file.bytes = file.bytes.subarray(0, -10)
}
