import type { Locker } from '@dsh/persistence/lock'
import { describe, expect, it } from 'vitest'
import { asOwner, asOwnerOfTrashed } from '../src/owned.js'
import { Root } from '../src/root.js'
import { memoryLocker } from './support/memory-locker.js'
import { directoryOf, driverOn, MemoryDisk, ROOT, storedOn, trashDirectoryOf } from './support/memory-root.js'

const rootOn = (disk: MemoryDisk, locker: Locker = memoryLocker()) => new Root(ROOT, 'fsync', disk, locker)

describe('asOwner', () => {
  it('lets go of the session whatever becomes of the operation, and gives a failure a code', async () => {
    const root = rootOn(await storedOn(new MemoryDisk(), [], 's'))
    const own = (operation: () => Promise<void>) => asOwner(root, 's', root.paths('s'), operation)
    const fail = () => Promise.reject(Object.assign(new Error('no'), { code: 'EIO' }))
    await expect(own(fail)).rejects.toMatchObject({ code: 'STORAGE_FAILED', session: 's', file: directoryOf('s') })
    let nested: unknown
    await own(async () => {
      nested = await own(fail).catch((error: unknown) => error)
    })
    expect(nested).toMatchObject({ code: 'SESSION_LOCKED' })
    await own(async () => {})
  })
})

describe('asOwnerOfTrashed', () => {
  it('sees what the trash holds once nobody else can change it', async () => {
    const disk = await storedOn(new MemoryDisk(), [], 's', 'other')
    for (const id of ['s', 'other']) await driverOn(disk).trash(id as never)
    const locker = memoryLocker()
    // Somebody else is quicker.
    const slow: Locker = {
      async acquire(path, session) {
        await disk.rename(trashDirectoryOf('s'), directoryOf('s'))
        return locker.acquire(path, session)
      },
    }
    let calls = 0
    const count = async () => void calls++
    await expect(asOwnerOfTrashed(rootOn(disk, slow), 's', count)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect(calls).toBe(0)
    await asOwnerOfTrashed(rootOn(disk), 'other', count)
    expect(calls).toBe(1)
  })
})
