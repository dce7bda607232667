import { best, type Row } from '../measure.ts'
import { type Append, turnsOf } from '../workload/turns.ts'
import { appendAll, type Contestant, copyAndFreeze } from './contestants.ts'

/** Appends of one kind, of a whole stream, and with a reader that polls. */
export function benchAppend(ours: Contestant, peer: Contestant | undefined): Row[] {
  const rows = [
    compare(
      'one text delta',
      repeat(200_000, i => delta(i)),
      ours,
      peer,
    ),
    compare(
      'one answer citing 150 chunks',
      [...repeat(150, i => delta(i)), ...repeat(5000, () => answer())],
      ours,
      peer,
    ),
    compare(
      'one tool result of 8 KB',
      repeat(20_000, i => toolResult(i)),
      ours,
      peer,
    ),
  ]
  for (const size of [10_000, 100_000, 1_000_000]) {
    const runs = size === 1_000_000 ? 2 : 5
    rows.push(compare(`stream of ${size.toLocaleString('en')} events`, turnsOf(size), ours, peer, runs))
  }
  rows.push(poll('poll `slice(last)` after each append', 20_000, ours, undefined, 'slice'))
  rows.push(poll('poll `slice(last)`, ten times the log', 200_000, ours, undefined, 'slice'))
  rows.push(poll('read `events` after each append', 10_000, ours, peer, 'events'))
  return rows
}

function compare(name: string, appends: Append[], ours: Contestant, peer: Contestant | undefined, runs?: number): Row {
  const time = (contestant: Contestant) =>
    best(
      () => contestant.create(),
      session => appendAll(session, appends),
      runs,
    )
  const floor = best(
    () => [] as unknown[],
    log => {
      for (const { type, data, intent } of appends)
        log.push(copyAndFreeze({ type, seq: log.length, time: Date.now(), ...intent, data }))
      return log
    },
    runs,
  )
  return { name, count: appends.length, floor, ours: time(ours), peer: peer && time(peer) }
}

function poll(
  name: string,
  count: number,
  ours: Contestant,
  peer: Contestant | undefined,
  how: 'slice' | 'events',
): Row {
  const appends = repeat(count, i => delta(i))
  const read = (contestant: Contestant) =>
    best(
      () => contestant.create(),
      session => {
        let seen = 0
        for (const { type, data } of appends) {
          session.append(type, data)
          seen += how === 'slice' ? session.slice!(session.seq - 1).length : session.events.length
        }
        return seen
      },
      3,
    )
  const floor = best(
    () => [] as unknown[],
    log => {
      for (const { type, data } of appends) log.push(copyAndFreeze({ type, seq: log.length, time: Date.now(), data }))
      return log
    },
  )
  return { name, count, floor, ours: read(ours), peer: peer && read(peer) }
}

function repeat(count: number, make: (index: number) => Append): Append[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function delta(index: number): Append {
  const chunk = { type: 'text-delta', index: 0, text: `piece ${index % 1000}` }
  return { type: 'assistant/chunk', data: { turn: 1, step: 1, chunk } }
}

function answer(): Append {
  const message = {
    id: 'm',
    role: 'assistant',
    source: { kind: 'model', provider: 'p', model: 'm' },
    content: [{ type: 'text', text: 'x'.repeat(1500) }],
  }
  const sourceEventSeqs = Array.from({ length: 150 }, (_, seq) => seq)
  return {
    type: 'assistant/message',
    data: { turn: 1, step: 1, message },
    intent: { surfaceOp: 'append', sourceEventSeqs },
  }
}

function toolResult(index: number): Append {
  const callId = `c${index}`
  const content = [{ type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text: 'x'.repeat(8192) }] }]
  const message = { id: `r${index}`, role: 'user', source: { kind: 'tool', callId }, content }
  return { type: 'tool/result', data: { turn: 1, step: 1, message }, intent: { surfaceOp: 'append' } }
}
