import type { StoredRecord } from '@dsh/persistence/driver'
import type { SessionId } from '@dsh/session'
import { isSessionError } from '@dsh/session'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JsonlDriver } from '../src/driver.js'
import { crashStates } from './support/crash-states.js'
import type { Fault, Operation } from './support/memory-disk.js'
import { MemoryDisk } from './support/memory-disk.js'
import { memoryLocker } from './support/memory-locker.js'
import { collect, event, header, lines, sampleEvents, toRecords } from './support/records.js'

const ROOT = '/root'
const id = 's' as SessionId

const TIMEOUT = 120_000

let states = 0
const { stackTraceLimit } = Error

beforeAll(() => {
  // Most states are refused bytes inside; their stack traces would take a third of the time.
  Error.stackTraceLimit = 0
})

afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
  console.log(`power cuts survived: ${states.toLocaleString('en')} states of the disk`)
})

function driverOn(disk: MemoryDisk): JsonlDriver {
  return new JsonlDriver({ root: ROOT }, { fs: disk, locker: memoryLocker() })
}

/** What somebody who appends to one session has been promised. */
class Promises {
  attempted: StoredRecord[] = []
  /** Records whose append resolved; undefined as long as the creation has not. */
  kept: number | undefined
}

/** Opens what a power cut left, holds it against what was promised, and goes on from there. */
async function check(disk: MemoryDisk, promised: Promises, goOn: boolean): Promise<void> {
  states++
  const driver = driverOn(disk)
  const kept = promised.kept ?? 0
  let next = 0
  try {
    const handle = await driver.open(id, 'write')
    const found = lines(await collect(handle.read({})))
    const all = lines(promised.attempted)
    if (found.length < kept) throw new Error(`lost: ${kept} were acknowledged, ${found.length} are left`)
    if (found.join('\n') !== all.slice(0, found.length).join('\n')) throw new Error('something else appeared')
    next = handle.nextSeq
    if (goOn)
      await handle.append(
        next,
        [event(next, 'after')].flatMap(each => toRecords([each])),
      )
    await handle.close()
  } catch (error) {
    if (isSessionError(error, 'SESSION_NOT_FOUND') && promised.kept === undefined) return
    throw error
  }
  if (!goOn) return
  const reader = await driver.open(id, 'read')
  expect(reader.nextSeq).toBe(next + 1)
  expect(reader.recovery).toBeUndefined()
}

/** Tries every state that a power cut could leave, after each change, and fails with the first that does not hold. */
function cutAfterEachChange(disk: MemoryDisk, checkState: (state: MemoryDisk) => Promise<void>): () => void {
  // Kept, and not thrown: the code under test would take it for a failure of the disk.
  let failure: unknown
  disk.afterChange = async () => {
    if (failure !== undefined) return
    try {
      for (const state of crashStates(disk)) await checkState(state)
    } catch (error) {
      failure = error
    }
  }
  return () => {
    if (failure !== undefined) throw failure
  }
}

/** Cuts the power at every step of a recovery, which must itself be recoverable from. */
async function checkSecondCut(disk: MemoryDisk, promised: Promises): Promise<void> {
  const rethrow = cutAfterEachChange(disk, state => check(state, promised, false))
  await check(disk, promised, false)
  rethrow()
}

interface Workload {
  readonly batches: readonly (readonly StoredRecord[])[]
  readonly faultFor?: (operation: Operation, index: number) => Fault | undefined
  readonly forgetsFailedSync?: boolean
  /** Each n-th state is also cut a second time, during its recovery. */
  readonly secondCutEvery: number
}

/** Returns the number of states that were tried. */
async function cutEverywhere(workload: Workload): Promise<number> {
  const before = states
  const disk = new MemoryDisk()
  const promised = new Promises()
  if (workload.faultFor) disk.faultFor = workload.faultFor
  if (workload.forgetsFailedSync !== undefined) disk.forgetsFailedSync = workload.forgetsFailedSync
  let count = 0
  const rethrow = cutAfterEachChange(disk, async state => {
    count++
    if (count % workload.secondCutEvery === 0) await checkSecondCut(state, promised)
    else await check(state, promised, count % 5 === 0)
  })
  const driver = driverOn(disk)
  const [first = [], ...rest] = workload.batches
  promised.attempted.push(...first)
  const handle = await driver.create(header('s', { cwd: '/work' }), first)
  promised.kept = first.length
  for (const batch of rest) {
    promised.attempted.push(...batch)
    // As the base does: the same batch again until it is stored.
    while (true) {
      try {
        await handle.append(handle.nextSeq, batch)
        break
      } catch (error) {
        if (!isSessionError(error, 'STORAGE_FAILED')) throw error
      }
    }
    promised.kept = promised.attempted.length
  }
  await driver.close()
  await disk.afterChange()
  rethrow()
  return states - before
}

/** Cuts events into batches of the given sizes, so that runs of deltas pack as they would. */
function batchesOf(sizes: readonly number[]): StoredRecord[][] {
  let start = 0
  return sizes.map(size => {
    const batch = toRecords(sampleEvents(size, start))
    start += size
    return batch
  })
}

describe('a power cut', { timeout: TIMEOUT }, () => {
  it('loses nothing that was acknowledged, at every step of creation and appends', async () => {
    expect(await cutEverywhere({ batches: batchesOf([3, 1, 2, 9, 1, 17, 4]), secondCutEvery: 300 })).toBeGreaterThan(
      8_000,
    )
  })

  it('loses nothing of a session that starts empty', async () => {
    expect(await cutEverywhere({ batches: batchesOf([0, 1, 1, 12, 2]), secondCutEvery: 60 })).toBeGreaterThan(8_000)
  })

  it.each([true, false])(
    'loses nothing when syncs fail and the same bytes are written again (forgotten: %s)',
    async forgets => {
      let syncs = 0
      const faultFor = ({ name }: Operation): Fault | undefined => {
        if (name !== 'fdatasync') return undefined
        syncs++
        return syncs % 3 === 0 ? { kind: 'before', code: 'EIO' } : undefined
      }
      const batches = batchesOf([2, 5, 7])
      expect(
        await cutEverywhere({ batches, faultFor, forgetsFailedSync: forgets, secondCutEvery: 300 }),
      ).toBeGreaterThan(8_000)
    },
  )

  it('loses nothing when writes stop in their middle and are tried again', async () => {
    let writes = 0
    const faultFor = ({ name }: Operation): Fault | undefined => {
      if (name !== 'write') return undefined
      writes++
      return writes % 2 === 0 ? { kind: 'short', bytes: (writes * 37) % 90, code: 'ENOSPC' } : undefined
    }
    expect(await cutEverywhere({ batches: batchesOf([2, 5, 11, 3]), faultFor, secondCutEvery: 100 })).toBeGreaterThan(
      8_000,
    )
  })

  it('takes nothing back that was shown after a writer was killed before its sync', async () => {
    const disk = new MemoryDisk()
    const [first, second] = batchesOf([3, 7])
    const driver = driverOn(disk)
    const handle = await driver.create(header(), first!)
    disk.forgetsFailedSync = false
    disk.faultFor = ({ name }) =>
      name === 'fdatasync' || name === 'ftruncate' ? { kind: 'before', code: 'EIO' } : undefined
    await expect(handle.append(3, second!)).rejects.toThrow('STORAGE_FAILED')
    disk.faultFor = () => undefined

    // Another driver, as if the process of the first had been killed.
    const successor = await driverOn(disk).open(id, 'write')
    expect(successor.nextSeq).toBe(10)
    const promised = new Promises()
    promised.attempted = [...first!, ...second!]
    promised.kept = promised.attempted.length
    for (const state of crashStates(disk)) await check(state, promised, false)
  })

  it('takes nothing back that a recovery kept, whatever is appended to it', async () => {
    const [first, second] = batchesOf([3, 30])
    const disk = new MemoryDisk()
    const handle = await driverOn(disk).create(header(), first!)
    let tried = 0
    const torn: MemoryDisk[] = []
    disk.afterChange = async () => {
      for (const state of crashStates(disk)) if (tried++ % 350 === 0) torn.push(state)
    }
    await handle.append(3, second!)
    for (const state of torn) {
      const successor = await driverOn(state).open(id, 'write')
      const promised = new Promises()
      promised.attempted = await collect(successor.read({}))
      promised.kept = promised.attempted.length
      const next = toRecords([event(successor.nextSeq, 'x'.repeat(150)), event(successor.nextSeq + 1)])
      promised.attempted.push(...next)
      const rethrow = cutAfterEachChange(state, each => check(each, promised, false))
      await successor.append(successor.nextSeq, next)
      rethrow()
    }
    expect(torn.length).toBeGreaterThan(3)
  })
})
