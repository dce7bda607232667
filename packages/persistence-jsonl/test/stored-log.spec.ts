import { describe, expect, it } from 'vitest'
import { closeParts, findPartSeqs, openParts } from '../src/stored-log.js'
import { directoryOf, driverOn, MemoryDisk, putFile } from './support/memory-root.js'
import { header, sampleEvents, toRecords } from './support/records.js'

async function stored(): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  await (await driverOn(disk).create(header(), toRecords(sampleEvents(3)))).close()
  return disk
}

describe('openParts', () => {
  it('opens the log of any session when no id is asked for', async () => {
    const { header: found, parts } = await openParts(await stored(), directoryOf('s'), undefined, 'read')
    expect(found).toEqual(header())
    expect(parts).toMatchObject([{ session: 's', start: { next: 0, lines: 1 } }])
    await closeParts(parts)
  })

  it('closes what it has opened when a later part cannot be', async () => {
    const disk = await stored()
    await putFile(disk, `${directoryOf('s')}/log-3.jsonl`, 'no header\n')
    await expect(openParts(disk, directoryOf('s'), 's', 'read')).rejects.toMatchObject({
      code: 'SESSION_CORRUPT',
      file: `${directoryOf('s')}/log-3.jsonl`,
    })
    expect(disk.openFiles).toBe(0)
  })

  it('passes on which file cannot be opened or read', async () => {
    for (const [operation, code] of [
      ['open', 'EACCES'],
      ['open', 'EMFILE'],
      ['fstat', 'EIO'],
      ['read', 'EIO'],
      ['readdir', 'EACCES'],
      ['lstat', 'EACCES'],
    ]) {
      const disk = await stored()
      disk.faultFor = ({ name }) => (name === operation ? { kind: 'before', code: code! } : undefined)
      await expect(openParts(disk, directoryOf('s'), 's', 'write')).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
        session: 's',
        details: { errno: code },
      })
      expect(disk.openFiles).toBe(0)
    }
  })
})

describe('findPartSeqs', () => {
  it('finds the parts in order, and no other files', async () => {
    const disk = await stored()
    for (const name of ['log-12.jsonl', 'log-3.jsonl', 'log-03.jsonl', 'cut-5-abc.bytes']) {
      await putFile(disk, `${directoryOf('s')}/${name}`, '')
    }
    expect(await findPartSeqs(disk, directoryOf('s'), 's')).toEqual([0, 3, 12])
    await expect(findPartSeqs(disk, '/base/none', 's')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await putFile(disk, '/base/file', '')
    await expect(findPartSeqs(disk, '/base/file', 's')).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
  })
})
