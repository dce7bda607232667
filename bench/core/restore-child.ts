import { closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs'
import { describeRow, encodeRows, Session, type StoredRow, sessionId } from '@dsh/session'
import { eventsOf, turnsOf } from '../workload/turns.ts'
import { loadPeer } from './contestants.ts'

declare const gc: () => void

const [what, file] = process.argv.slice(2) as [string, string]
const EVENTS = 1_000_000
const LF = 10

/** Writes the log as packed lines, or as one plain line for each event. */
function write(packed: boolean): void {
  const events = eventsOf(turnsOf(EVENTS))
  const lines = packed
    ? encodeRows(events as never, { pack: true }).map(row => Buffer.from(row.body))
    : events.map(event => Buffer.from(JSON.stringify(event)))
  writeFileSync(file, Buffer.concat(lines.flatMap(line => [line, Buffer.from('\n')])))
}

/** The lines of the file as views of a few large buffers: a buffer for each megabyte, as a reader would have them. */
function readLines(): Uint8Array[] {
  const descriptor = openSync(file, 'r')
  const lines: Uint8Array[] = []
  const { size } = fstatSync(descriptor)
  for (let position = 0; position < size; ) {
    const buffer = Buffer.allocUnsafeSlow(Math.min(1 << 20, size - position))
    readSync(descriptor, buffer, 0, buffer.length, position)
    const end = buffer.lastIndexOf(LF) + 1
    for (let start = 0; start < end; ) {
      const next = buffer.indexOf(LF, start)
      lines.push(buffer.subarray(start, next))
      start = next + 1
    }
    position += end
  }
  closeSync(descriptor)
  return lines
}

function resident(): number {
  gc()
  gc()
  return process.memoryUsage().rss / 2 ** 20
}

async function contestant(): Promise<(lines: Uint8Array[]) => unknown> {
  const decoder = new TextDecoder()
  const parse = (line: Uint8Array) => JSON.parse(decoder.decode(line))
  if (what === 'floor') return lines => lines.map(parse)
  if (what === 'peer') {
    const peer = await loadPeer()
    if (peer === undefined) throw new Error('the peer is not installed')
    return lines => {
      const events = lines.map(parse)
      begin = performance.now()
      return peer.create(events)
    }
  }
  const header = { version: 1, id: sessionId('bench'), createdAt: 0 }
  return lines => {
    const rows: StoredRow[] = lines.map(line => describeRow(line))
    const session = Session.restore(header, rows, { trusted: true })
    return [session, what === 'ours+derive' ? session.deriveMessages() : undefined]
  }
}

let begin = 0
if (what === 'write-packed' || what === 'write-plain') write(what === 'write-packed')
else {
  const build = await contestant()
  const before = resident()
  const lines = readLines()
  begin = performance.now()
  const kept = build(lines)
  const milliseconds = performance.now() - begin
  console.log(JSON.stringify({ milliseconds, megabytes: resident() - before, kept: typeof kept }))
}
