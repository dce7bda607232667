import type { StoredRecord } from '@dsh/persistence/driver'
import { sessionSlug } from '@dsh/persistence/lock'
import type { SessionError, SessionId } from '@dsh/session'
import { isSessionError } from '@dsh/session'
import { beforeAll, describe, expect, it } from 'vitest'
import { JsonlDriver } from '../src/driver.js'
import { DirectoryNode, FileNode, MemoryDisk } from './support/memory-disk.js'
import { memoryLocker } from './support/memory-locker.js'
import { lineRanges, mutations } from './support/mutations.js'
import { randomFrom } from './support/random.js'
import { collect, header, lines, sampleEvents, toRecords } from './support/records.js'

/** With DSH_FULL=1 as many as the format is held to; by default a tenth of it, to be quick. */
const RUNS = process.env.DSH_FULL === '1' ? 20_000 : 2_000

const id = 's' as SessionId
const PATH = `/base/${sessionSlug(id)}/log-0.jsonl`

function driverOver(disk: MemoryDisk): JsonlDriver {
  return new JsonlDriver({ root: '/base' }, { fs: disk, locker: memoryLocker() })
}

function diskWith(bytes: Buffer): MemoryDisk {
  const disk = new MemoryDisk()
  const [root, session] = [new DirectoryNode(), new DirectoryNode()]
  disk.root.entries.set('base', root)
  root.entries.set(sessionSlug(id), session)
  session.entries.set('log-0.jsonl', new FileNode(bytes))
  return disk
}

function bytesOn(disk: MemoryDisk): Buffer {
  return (disk.find(PATH) as FileNode).bytes
}

interface Log {
  readonly bytes: Buffer
  readonly records: readonly StoredRecord[]
  /** Ends of batches: a log cut there is a log. */
  readonly edges: readonly number[]
}

async function writtenLog(): Promise<Log> {
  const disk = new MemoryDisk()
  const records: StoredRecord[] = []
  const edges: number[] = []
  const handle = await driverOver(disk).create(header('s', { cwd: '/work' }), [])
  for (const size of [3, 1, 12, 2, 7, 1]) {
    edges.push(bytesOn(disk).length)
    const batch = toRecords(sampleEvents(size, handle.nextSeq))
    await handle.append(handle.nextSeq, batch)
    records.push(...batch)
  }
  await handle.close()
  return { bytes: bytesOn(disk), records, edges }
}

/** A log as another program might write it: no commit lines, a byte order mark, other line ends, blank lines. */
function foreignLog(written: Log): Log {
  const plain = lineRanges(written.bytes)
    .map(([start, end]) => written.bytes.toString('utf8', start, end - 1))
    .filter(line => !line.startsWith('{"type":"commit"'))
  const text = plain.map((line, index) => line + ['\n', '\r\n', '\n \n', '\r\n\r\n'][index % 4])
  return { bytes: Buffer.from(`\ufeff${text.join('')}`), records: written.records, edges: [] }
}

interface Reading {
  readonly records?: readonly StoredRecord[]
  readonly recovered: boolean
  readonly error?: SessionError
}

async function read(disk: MemoryDisk, mode: 'read' | 'write'): Promise<Reading> {
  try {
    const handle = await driverOver(disk).open(id, mode)
    const records = await collect(handle.read({}))
    expect(handle.nextSeq).toBe(records.reduce((sum, { count }) => sum + count, 0))
    await handle.close()
    return { records, recovered: handle.recovery !== undefined }
  } catch (error) {
    if (!isSessionError(error)) throw error
    return { error, recovered: false }
  }
}

/** The right events, or an error that says where: never less than there was without a word, never something else. */
async function check(log: Log, mutated: Buffer, isChecked: boolean): Promise<void> {
  const reader = await read(diskWith(mutated), 'read')
  const disk = diskWith(mutated)
  const writer = await read(disk, 'write')
  expect(writer.error?.code).toBe(reader.error?.code)
  if (reader.error) {
    expect(['SESSION_CORRUPT', 'FORMAT_UNSUPPORTED']).toContain(reader.error.code)
    expect(reader.error.byte).toBeTypeOf('number')
    expect(bytesOn(disk).equals(mutated), 'a refused log stays as it is').toBe(true)
  } else {
    const found = lines(reader.records!)
    expect(lines(writer.records!)).toEqual(found)
    if (isChecked) expect(found).toEqual(lines(log.records).slice(0, found.length))
    const isLog = log.edges.some(edge => mutated.equals(log.bytes.subarray(0, edge)))
    if (found.length < log.records.length && !isLog) expect(reader.recovered).toBe(true)
  }
  await checkSalvage(log, mutated, reader)
}

/** Every record whose line is still there comes back, whatever lies around it. */
async function checkSalvage(log: Log, mutated: Buffer, { error }: Reading): Promise<void> {
  if (error?.code === 'FORMAT_UNSUPPORTED') return
  const { items } = await driverOver(diskWith(mutated)).readTolerant(id)
  const found = new Set<string>()
  for await (const item of items) if (item.kind === 'records') for (const line of lines(item.records)) found.add(line)
  const present = new Set(lineRanges(mutated).map(([start, end]) => mutated.toString('utf8', start, end).trimEnd()))
  for (const line of lines(log.records)) if (present.has(line)) expect(found).toContain(line)
}

describe.each(['written here', 'foreign'])('a log that was %s', kind => {
  let log: Log
  beforeAll(async () => {
    const written = await writtenLog()
    log = kind === 'foreign' ? foreignLog(written) : written
  })

  it('reads back whole', async () => {
    const { records, recovered } = await read(diskWith(log.bytes), 'write')
    expect(lines(records!)).toEqual(lines(log.records))
    expect(recovered).toBe(kind === 'foreign')
  })

  it('gives every earlier event when its last record is cut at any byte', async () => {
    const last = log.bytes.lastIndexOf(log.records.at(-1)!.body)
    for (let end = last; end < log.bytes.length; end++) {
      const { records, recovered } = await read(diskWith(log.bytes.subarray(0, end)), 'write')
      expect(records!.length).toBeGreaterThanOrEqual(log.records.length - 1)
      expect(lines(records!)).toEqual(lines(log.records).slice(0, records!.length))
      expect(recovered || log.edges.includes(end)).toBe(true)
    }
  })

  it.each(Object.keys(mutations))('gives the right events or says where it is damaged: %s', async name => {
    const runs = Math.ceil(RUNS / Object.keys(mutations).length / 2)
    // No checksum tells that a foreign line was altered, nor an altered line of a batch whose commit line was cut.
    const alters = ['flipBit', 'flipBytes', 'hugeNumber', 'invalidUtf8'].includes(name)
    const isChecked = kind !== 'foreign' || !alters
    for (let run = 0; run < runs; run++) {
      const random = randomFrom(run * 7_919 + name.length)
      const once = mutations[name]!(log.bytes, random)
      const mutated = !alters && random() < 0.3 && once.length > 1 ? mutations.cutLate!(once, random) : once
      await check(log, mutated, isChecked).catch(error => {
        throw new Error(`run ${run} of ${name}`, { cause: error })
      })
    }
  })
})
