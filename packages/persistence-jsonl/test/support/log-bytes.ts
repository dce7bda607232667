import { crc32 } from 'node:zlib'
import type { StoredRecord } from '@dsh/persistence/driver'
import { encodeBatches } from '../../src/encode-batch.js'
import { formatHeaderLine } from '../../src/header-line.js'
import type { LogPart } from '../../src/recover.js'
import type { BatchEdge } from '../../src/scan.js'
import type { LogSnapshot } from '../../src/snapshot.js'
import { memorySource } from '../../src/source.js'
import { header, sampleEvents, T0, toRecords } from './records.js'

/** A log in memory and the places between its batches. */
export interface LogBytes {
  readonly bytes: Buffer
  readonly records: readonly StoredRecord[]
  /** The first is where the header ends, the last the end of the log. */
  readonly edges: readonly BatchEdge[]
  readonly seed: number
}

/** Writes batches of events of the given sizes as the writer does. */
export function writeLog(sizes: readonly number[], pack = true): LogBytes {
  let start = 0
  return writeBatches(
    sizes.map(size => {
      const batch = toRecords(sampleEvents(size, start), pack)
      start += size
      return batch
    }),
  )
}

export function writeBatches(batches: readonly (readonly StoredRecord[])[]): LogBytes {
  const line = formatHeaderLine(header())
  const seed = crc32(line)
  const chunks = [line]
  const edges = [{ byte: line.length, next: 0 }]
  for (const batch of batches) {
    let { byte, next } = edges[edges.length - 1]!
    for (const encoded of encodeBatches(batch, seed, next, T0)) {
      chunks.push(encoded.bytes)
      byte += encoded.bytes.length
      next = encoded.next
    }
    edges.push({ byte, next })
  }
  return { bytes: Buffer.concat(chunks), records: batches.flat(), edges, seed }
}

/** The bytes of a log as its only part, possibly changed. */
export function partOf({ bytes, edges, seed }: LogBytes, changed: Buffer = bytes): LogPart {
  const start = { ...edges[0]!, lines: 1 }
  return { session: 's', source: memorySource(changed), size: changed.length, start, seed }
}

/** A log as a read sees it, possibly changed. */
export function snapshotOf(log: LogBytes, changed: Buffer = log.bytes): LogSnapshot {
  const { source, seed, start } = partOf(log, changed)
  const end = log.edges[log.edges.length - 1]!
  return { session: 's', parts: [{ source, seed, start, end }], loose: [] }
}
