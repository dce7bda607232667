import { describe, expect, it } from 'vitest'
import { OpenFile } from '../src/open-file.js'
import { MemoryDisk } from './support/memory-disk.js'

async function open(disk: MemoryDisk): Promise<OpenFile> {
  return OpenFile.open(disk, '/file', 'create')
}

describe('OpenFile', () => {
  it('writes and reads all of it, however little the disk takes at a time', async () => {
    const disk = new MemoryDisk()
    const file = await open(disk)
    disk.faultFor = ({ name }) => (name === 'write' ? { kind: 'short', bytes: 3 } : undefined)
    await file.write(Buffer.from('0123456789'), 0)
    const into = Buffer.alloc(20)
    expect(await file.read(into, 2)).toBe(8)
    expect(into.toString('utf8', 0, 8)).toBe('23456789')
    expect((await file.stat()).size).toBe(10)
    await file.truncate(4)
    expect((await file.stat()).size).toBe(4)
  })

  it('fails when the disk takes nothing at all, and does not try for ever', async () => {
    const disk = new MemoryDisk()
    const file = await open(disk)
    disk.faultFor = ({ name }) => (name === 'write' ? { kind: 'short', bytes: 0 } : undefined)
    await expect(file.write(Buffer.from('x'), 0)).rejects.toMatchObject({ code: 'ENOSPC' })
  })

  it('closes after the operations that were under way, and refuses later ones', async () => {
    const disk = new MemoryDisk()
    const file = await open(disk)
    const order: string[] = []
    let finish = () => {}
    const using = file.use(async () => {
      await new Promise<void>(resolve => {
        finish = resolve
      })
      order.push('used')
    })
    const closing = file.close().then(() => order.push('closed'))
    await expect(file.read(Buffer.alloc(1), 0)).rejects.toMatchObject({ code: 'STORAGE_FAILED', file: '/file' })
    finish()
    await Promise.all([using, closing, file.close()])
    expect(order).toEqual(['used', 'closed'])
    expect(disk.openFiles).toBe(0)
    expect(disk.operations.filter(({ name }) => name === 'close')).toHaveLength(1)
  })

  it('closes quietly when the system fails to', async () => {
    const disk = new MemoryDisk()
    const file = await open(disk)
    disk.faultFor = ({ name }) => (name === 'close' ? { kind: 'after', code: 'EIO' } : undefined)
    await file.close()
  })
})
