import { describe, expect, it } from 'vitest'
import { Root } from '../src/root.js'
import { memoryLocker } from './support/memory-locker.js'
import { MemoryDisk, putFile } from './support/memory-root.js'

function rootOn(disk: MemoryDisk, locker = memoryLocker()): Root {
  return new Root('/a/base', 'fsync', disk, locker)
}

describe('Root', () => {
  it('makes its own name durable, and those of the directories that it creates above', async () => {
    const disk = new MemoryDisk()
    await rootOn(disk).ensure()
    expect(disk.names).toEqual([])
    const other = new MemoryDisk()
    await other.mkdir('/a')
    await other.mkdir('/a/base')
    // Another process may have created it and been stopped before it synced.
    await rootOn(other).ensure()
    expect(other.names.some(({ directories }) => directories.includes(other.find('/a') as never))).toBe(false)
  })

  it('syncs the name again until that succeeds once, and then no more', async () => {
    const disk = new MemoryDisk()
    const root = rootOn(disk)
    disk.faultFor = ({ name }) => (name === 'syncDirectory' ? { kind: 'before', code: 'EIO' } : undefined)
    await expect(root.ensure()).rejects.toMatchObject({ code: 'EIO' })
    disk.faultFor = () => undefined
    await root.ensure()
    expect(disk.names).toEqual([])
    const before = disk.operations.length
    await root.ensure()
    expect(disk.operations.slice(before).map(({ name }) => name)).toEqual(['mkdir'])
  })

  it('takes a root in a directory that is closed to it', async () => {
    const disk = new MemoryDisk()
    await disk.mkdir('/a')
    await disk.mkdir('/a/base')
    disk.faultFor = ({ name }) => (name === 'syncDirectory' ? { kind: 'before', code: 'EACCES' } : undefined)
    await rootOn(disk).ensure()
  })

  it('clears away once what stopped processes left, but nothing that somebody is at work on', async () => {
    const disk = new MemoryDisk()
    const locker = memoryLocker()
    for (const slug of ['left', 'busy']) await putFile(disk, `/a/base/.staging/${slug}/log-0.jsonl`, 'x')
    await locker.acquire('/a/base/.locks/busy', 'busy')
    const root = rootOn(disk, locker)
    await root.stage('s')
    expect(await disk.readdir('/a/base/.staging')).toEqual(['busy'])
    await putFile(disk, '/a/base/.staging/late/log-0.jsonl', 'x')
    await root.stage('s')
    expect(await disk.readdir('/a/base/.staging')).toEqual(['busy', 'late'])
  })

  it('goes on when it cannot clear away', async () => {
    const disk = new MemoryDisk()
    await putFile(disk, '/a/base/.staging/left/log-0.jsonl', 'x')
    disk.faultFor = ({ name }) =>
      name === 'unlink' || name === 'readdir' ? { kind: 'before', code: 'EIO' } : undefined
    expect(await rootOn(disk).stage('s')).toBe('/a/base/.staging/s')
  })
})
