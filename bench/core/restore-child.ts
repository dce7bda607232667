import { encodeRows, Session, sessionId } from '@dsh/session'
import { eventsOf, turnsOf } from '../workload/turns.ts'
import { loadPeer } from './contestants.ts'

declare const gc: () => void

const contestant = process.argv[2]
const EVENTS = 1_000_000
const CHUNK = 1 << 20

/** The stored lines of the log, in buffers of a megabyte as a reader would have them. */
function storedRows() {
  const rows = encodeRows(eventsOf(turnsOf(EVENTS)) as never, { pack: true })
  let buffer = Buffer.alloc(0)
  let used = 0
  return rows.map(row => {
    if (used + row.body.length > buffer.length) {
      buffer = Buffer.allocUnsafeSlow(Math.max(CHUNK, row.body.length))
      used = 0
    }
    buffer.set(row.body, used)
    const body = buffer.subarray(used, used + row.body.length)
    used += row.body.length
    return { ...row, body }
  })
}

function resident(): number {
  gc()
  gc()
  return process.memoryUsage().rss / 2 ** 20
}

let kept: unknown
async function measure(): Promise<{ milliseconds: number; megabytes: number }> {
  if (contestant === 'peer') {
    const peer = await loadPeer()
    if (peer === undefined) throw new Error('the peer is not installed')
    // The peer takes decoded events only, so they belong to what it needs.
    const lines = eventsOf(turnsOf(EVENTS)).map(event => JSON.stringify(event))
    const before = resident()
    const events = lines.map(line => JSON.parse(line))
    const start = performance.now()
    kept = peer.create(events)
    const milliseconds = performance.now() - start
    return { milliseconds, megabytes: resident() - before }
  }
  const rows = storedRows()
  const before = resident()
  const start = performance.now()
  if (contestant === 'floor') {
    const decoder = new TextDecoder()
    kept = rows.map(row => JSON.parse(decoder.decode(row.body)))
  } else {
    const session = Session.restore({ version: 1, id: sessionId('bench'), createdAt: 0 }, rows, { trusted: true })
    kept = [session, contestant === 'ours+derive' ? session.deriveMessages() : undefined]
  }
  return { milliseconds: performance.now() - start, megabytes: resident() - before }
}

const figure = await measure()
if (kept === undefined) throw new Error('nothing was measured')
console.log(JSON.stringify(figure))
