/** Prints the events of a stored session as lines of JSON: `node read-log.mjs <its directory>`; see docs/format.md. */
import { openSync, readdirSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

function* linesOf(fd, rest = Buffer.alloc(0), chunk = Buffer.alloc(1 << 20)) {
  for (let count = 1; count > 0; ) {
    count = readSync(fd, chunk)
    rest = Buffer.concat([rest, chunk.subarray(0, count)])
    for (let feed = rest.indexOf(10); feed >= 0; feed = rest.indexOf(10)) {
      yield rest.subarray(0, feed + 1)
      rest = rest.subarray(feed + 1)
    }
  }
  if (rest.length > 0) yield rest
}
function unpack({ type, seq, n, time, sourceEventSeqs: runs, data, ...rest }) {
  const expand = run => (run.length ? Array.from({ length: run[1] - run[0] + 1 }, (_, at) => run[0] + at) : run)
  if (n === undefined) return [{ type, seq, time, ...rest, sourceEventSeqs: runs?.flatMap(expand), data }]
  let { turn, step, index, id, name, dt, len, text = data.arguments } = data
  return len.map((length, at) => {
    time += dt[at - 1] ?? 0
    const piece = text.slice(0, length)
    text = text.slice(length)
    const content = id === undefined ? { text: piece } : { id, name, argumentsDelta: piece }
    const chunk = { type: type.replace('chunks', 'delta'), index, ...content }
    return { type: 'assistant/chunk', seq: seq + at, time, data: { turn, step, chunk } }
  })
}
/** Prints the events that go on from `next`. In a tail only what was cut short, and a row twice, is passed over. */
function print(lines, next, isTail, misses = 0, last = Buffer.alloc(0)) {
  for (const line of lines.filter(bytes => bytes.some(byte => byte > 32))) {
    if (isTail && misses++ > 1) break
    try {
      const row = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)) ?? {}
      if (row.seq !== next && (isTail ? !line.equals(last) : last.length === 0)) return isTail ? next : Number.NaN
      if (row.seq !== next) continue
      for (const event of unpack(row)) console.log(JSON.stringify(event))
      ;[next, misses, last] = [next + (row.n ?? 1), 0, line]
    } catch {}
  }
  return next
}
const parts = readdirSync(process.argv[2]).filter(name => /^log-\d+\.jsonl$/.test(name)).length
for (let part = 1, next = 0, isOurs = false; part <= parts; part++) {
  const lines = linesOf(openSync(`${process.argv[2]}/log-${next}.jsonl`))
  const header = lines.next().value
  if (JSON.parse(new TextDecoder().decode(header)).version !== 1) throw new Error('not version 1 of the format')
  let [batch, crc] = [[], crc32(header)]
  for (const line of lines) {
    const commit = /^\{"type":"commit","next":(\d+),"time":-?\d+,"bytes":\d+,"crc":(\d+)\}\n$/.exec(line)
    crc = crc32(commit ? line.subarray(0, line.lastIndexOf(',"crc"')) : line, crc)
    if (commit && crc !== Number(commit[2])) throw new Error(`the batch from event ${next} on is not what was written`)
    const end = commit ? print(batch, next, false) : next
    if (commit && end !== Number(commit[1])) throw new Error(`event ${end} is missing`)
    if (!commit) batch.push(line)
    else [batch, crc, next, isOurs] = [[], crc32(header), end, true]
  }
  if (part === parts) print(isOurs ? batch.filter(line => line.at(-1) === 10) : batch, next, true)
}
