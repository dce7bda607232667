/**
 * Appends to one session until it is killed, or as often as it is told, and reports on standard output: `open` with the
 * next sequence number, then that number after each append that was acknowledged. Waits for a line on standard input
 * before each append when it is asked to.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Driver } from '@dsh/persistence/driver'
import type { SessionId } from '@dsh/session'
import { encodeRows } from '@dsh/session'

const [backend, place, id, count, pace] = process.argv.slice(2) as [string, string, SessionId, string, string?]
const { connect } = (await import(backend)) as { connect(place: string): Driver }
const driver = connect(place)

const handle = driver.exists!(id)
  ? await driver.open(id, 'write')
  : await driver.create({ version: 1, id, createdAt: 1 }, [])
report('open', handle.nextSeq)

const steps = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
for (let done = 0; done < Number(count); done++) {
  if (pace === 'paced') await steps.next()
  const from = handle.nextSeq
  const events = Array.from({ length: 1 + (from % 4) }, (_, index) => ({
    type: 'test/event',
    seq: from + index,
    time: from + index,
    data: { seq: from + index, text: 'x'.repeat((from * 37) % 900) },
  }))
  const records = encodeRows(events as never).map(row => ({ ...row, version: 1 }))
  await handle.append(from, records)
  report('stored', handle.nextSeq)
}
await driver.close()
process.exit(0)

function report(what: string, seq: number): void {
  writeSync(1, `${what} ${seq}\n`)
}
