import type { DriverHandle, StoredRecord } from '@dsh/persistence/driver'
import type { SessionError, SessionId } from '@dsh/session'
import { isSessionError } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { JsonlDriver } from '../src/driver.js'
import { afterKill, crashStates } from './support/crash-states.js'
import type { Fault, Operation } from './support/memory-disk.js'
import { MemoryDisk } from './support/memory-disk.js'
import { memoryLocker } from './support/memory-locker.js'
import { collect, header, lines, sampleEvents, toRecords } from './support/records.js'

const id = 's' as SessionId
const SIZES = [4, 1, 13, 2]
const MOST_TRIES = 12

function driverOn(disk: MemoryDisk): JsonlDriver {
  return new JsonlDriver({ root: '/deep/root' }, { fs: disk, locker: memoryLocker() })
}

function batches(): StoredRecord[][] {
  let start = 0
  return SIZES.map(size => {
    const batch = toRecords(sampleEvents(size, start))
    start += size
    return batch
  })
}

/** The ways in which an operation can go wrong. */
function waysToFail(name: string): Fault[] {
  const before = (code: string): Fault => ({ kind: 'before', code })
  const after = (code: string): Fault => ({ kind: 'after', code })
  switch (name) {
    case 'write':
      return [
        before('ENOSPC'),
        before('EIO'),
        after('EIO'),
        { kind: 'short', bytes: 1 },
        { kind: 'short', bytes: 50 },
        { kind: 'short', bytes: 0 },
        { kind: 'short', bytes: 1, code: 'ENOSPC' },
        { kind: 'short', bytes: 77, code: 'EIO' },
      ]
    case 'open':
      return [before('EMFILE'), before('EACCES'), before('EIO')]
    case 'rename':
      return [before('EPERM'), before('EIO'), after('EIO')]
    case 'mkdir':
      return [before('ENOSPC'), before('EACCES'), after('EIO')]
    case 'fdatasync':
    case 'ftruncate':
    case 'syncDirectory':
    case 'unlink':
    case 'rmdir':
      return [before('EIO'), after('EIO')]
    default:
      return [before('EIO')]
  }
}

/** Tries again what failed, as the base does; gives up when nothing helps. Returns whether it worked in the end. */
async function persist(operation: () => Promise<void>, errors: SessionError[]): Promise<boolean> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    try {
      await operation()
      return true
    } catch (error) {
      if (!isSessionError(error)) throw error
      errors.push(error)
      if (error.code !== 'STORAGE_FAILED') return false
    }
  }
  return false
}

interface Outcome {
  readonly acknowledged: StoredRecord[]
  readonly errors: SessionError[]
}

/** Creates a session, appends, closes, opens it again and appends, through whatever the disk does. */
async function work(disk: MemoryDisk): Promise<Outcome> {
  const driver = driverOn(disk)
  const errors: SessionError[] = []
  const acknowledged: StoredRecord[] = []
  let handle: DriverHandle | undefined
  const [first, ...rest] = batches()
  const create = async () => {
    const isUncertain = errors.some(error => error.details.indeterminate === true) && driver.exists(id)
    handle = isUncertain ? await driver.open(id, 'write') : await driver.create(header(), first!)
  }
  if (!(await persist(create, errors))) return { acknowledged, errors }
  acknowledged.push(...first!)
  for (const [index, batch] of rest.entries()) {
    if (index === 1) {
      await handle!.close()
      const reopen = async () => {
        handle = await driver.open(id, 'write')
      }
      if (!(await persist(reopen, errors))) return { acknowledged, errors }
    }
    const next = handle!.nextSeq
    if (!(await persist(() => handle!.append(next, batch), errors))) return { acknowledged, errors }
    acknowledged.push(...batch)
  }
  await driver.close()
  return { acknowledged, errors }
}

const noFault = () => undefined

/** Holds what the disk would show after a kill, and after a power cut, against what was acknowledged. */
async function checkSurvival(disk: MemoryDisk, { acknowledged, errors }: Outcome): Promise<void> {
  const all = lines(batches().flat())
  const states = [afterKill(disk), ...crashStates(disk)].slice(0, 12)
  for (const state of states) {
    const driver = driverOn(state)
    if (acknowledged.length === 0 && !driver.exists(id)) continue
    const handle = await driver.open(id, 'write')
    const found = lines(await collect(handle.read({})))
    expect(found.length, errors.join('\n')).toBeGreaterThanOrEqual(acknowledged.length)
    expect(found).toEqual(all.slice(0, found.length))
  }
}

async function recordOperations(): Promise<Operation[]> {
  const disk = new MemoryDisk()
  const { errors, acknowledged } = await work(disk)
  expect(errors).toEqual([])
  expect(lines(acknowledged)).toEqual(lines(batches().flat()))
  return [...disk.operations]
}

describe('a disk that fails', () => {
  it('closes every file when it does not fail', async () => {
    const disk = new MemoryDisk()
    await work(disk)
    expect(disk.openFiles).toBe(0)
  })

  it('costs nothing but another try when one operation fails once, whichever and however', async () => {
    const operations = await recordOperations()
    let runs = 0
    for (const [at, { name }] of operations.entries()) {
      for (const fault of waysToFail(name)) {
        const disk = new MemoryDisk()
        disk.faultFor = (_, index) => (index === at ? fault : undefined)
        const outcome = await work(disk)
        const what = `${name} ${at} ${JSON.stringify(fault)}: ${outcome.errors.join('; ')}`
        expect(lines(outcome.acknowledged), what).toEqual(lines(batches().flat()))
        expect(outcome.errors.length, what).toBeLessThanOrEqual(1)
        await checkSurvival(disk, outcome)
        runs++
      }
    }
    expect(runs).toBeGreaterThan(100)
  })

  it('costs nothing when it fails for a while and recovers', async () => {
    const operations = await recordOperations()
    for (const at of operations.keys()) {
      for (const [length, code] of [
        [2, 'ENOSPC'],
        [3, 'EIO'],
        [9, 'EIO'],
      ] as const) {
        const disk = new MemoryDisk()
        disk.faultFor = (_, index) => (index >= at && index < at + length ? { kind: 'before', code } : undefined)
        const outcome = await work(disk)
        expect(lines(outcome.acknowledged), outcome.errors.join('; ')).toEqual(lines(batches().flat()))
        await checkSurvival(disk, outcome)
      }
    }
  })

  it('keeps what was acknowledged when it fails for good', async () => {
    const operations = await recordOperations()
    for (const at of operations.keys()) {
      for (const code of ['EIO', 'ENOSPC', 'EACCES']) {
        const disk = new MemoryDisk()
        disk.faultFor = (_, index) => (index >= at ? { kind: 'before', code } : undefined)
        const outcome = await work(disk)
        for (const error of outcome.errors) expect(error.code).toBe('STORAGE_FAILED')
        disk.faultFor = noFault
        await checkSurvival(disk, outcome)
      }
    }
  })
})
