import type { SessionHeader, SessionId } from '@dsh/session'
import { SESSION_FORMAT_VERSION } from '@dsh/session'
import type { StoredRecord } from '../driver.js'

/** A time that no clock of a test machine shows, so that a driver which looks at its own clock is found out. */
export const T0 = 1_700_000_000_000

export function header(id: string, more: Partial<SessionHeader> = {}): SessionHeader {
  return { version: SESSION_FORMAT_VERSION, id: id as SessionId, createdAt: T0, ...more }
}

/** A log of `turns` turns as stored lines: log-only events, surface events and packed runs of 1 to 40 deltas. */
export function sampleRecords(turns: number, text = 'the quick brown fox'): StoredRecord[] {
  const records: StoredRecord[] = []
  for (let turn = 1; turn <= turns; turn++) {
    records.push(event(nextSeq(records), 'turn/start', { turn, trigger: { kind: 'retry' } }))
    records.push(userMessage(nextSeq(records), `${text} ${turn}`))
    records.push(textChunks(nextSeq(records), turn, ((turn * 13) % 40) + 1))
    records.push(event(nextSeq(records), 'turn/end', { turn, reason: { kind: 'completed' } }))
  }
  return records
}

/** A log-only event as a stored line. */
export function event(seq: number, type: string, data: unknown, time = T0 + seq): StoredRecord {
  return record({ type, seq, time, data }, { seq, count: 1, time, type, surface: false })
}

/** A prompt as a stored line. */
export function userMessage(seq: number, text: string, time = T0 + seq): StoredRecord {
  const content = [{ type: 'text', text }]
  const data = { id: `message-${seq}`, role: 'user', source: { kind: 'user' }, content }
  const line = { type: 'user/message', seq, time, surfaceOp: 'append', data }
  return record(line, { seq, count: 1, time, type: 'user/message', surface: true })
}

/** A packed run of `count` one-letter deltas, a millisecond apart. */
export function textChunks(seq: number, turn: number, count: number): StoredRecord {
  const time = T0 + seq
  const dt = Array<number>(count - 1).fill(1)
  const len = Array<number>(count).fill(1)
  const data = { turn, step: 1, index: 0, dt, len, text: 'x'.repeat(count) }
  const line = { type: 'text-chunks', seq, n: count, time, data }
  return record(line, { seq, count, time: time + count - 1, type: 'text-chunks', surface: false })
}

/** The number after the last event of `records`, which start at 0. */
export function nextSeq(records: readonly StoredRecord[]): number {
  const last = records.at(-1)
  return last === undefined ? 0 : last.seq + last.count
}

/** Collects a read, or what a tolerant read found. */
export async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const batch of batches) all.push(...batch)
  return all
}

const encoder = new TextEncoder()

function record(line: unknown, envelope: Omit<StoredRecord, 'body' | 'version'>): StoredRecord {
  return { ...envelope, version: SESSION_FORMAT_VERSION, body: encoder.encode(JSON.stringify(line)) }
}

/** Texts that a query language could trip over. */
export const hostileQueries: readonly string[] = [
  ...[
    '',
    ' ',
    '"',
    '""',
    "'",
    '*',
    'AND',
    'a AND',
    'NOT',
    '(',
    ')',
    'NEAR(',
    'a:b',
    '-',
    '^',
    '%',
    '_',
    '\\',
    '\u0000',
  ],
  ...["'; DROP TABLE sessions; --", '漢', '漢字', '🙂', '\ud800', 'x'.repeat(10_000), '{a b}: c', 'a"b'],
]
