import type { StoredRecord } from '@dsh/persistence/driver'
import type { SessionEvent, SessionHeader, SessionId } from '@dsh/session'
import { encodeRows, SESSION_FORMAT_VERSION } from '@dsh/session'

export const T0 = 1_700_000_000_000

export function header(id = 's', more: Partial<SessionHeader> = {}): SessionHeader {
  return { version: SESSION_FORMAT_VERSION, id: id as SessionId, createdAt: T0, ...more }
}

/** An event that no plugin knows. */
export function event(seq: number, data: unknown = {}, type = 'test/event'): SessionEvent {
  return { type, seq, time: T0 + seq, data } as never
}

/** A prompt, which is on the surface. */
export function prompt(seq: number, text: string): SessionEvent {
  const data = { id: `m${seq}`, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] }
  return { type: 'user/message', seq, time: T0 + seq, surfaceOp: 'append', data } as never
}

/** An answer of a model. */
export function answer(seq: number, text: string): SessionEvent {
  const source = { kind: 'model', provider: 'p', model: 'm' }
  const message = { id: `m${seq}`, role: 'assistant', source, content: [{ type: 'text', text }] }
  return {
    type: 'assistant/message',
    seq,
    time: T0 + seq,
    surfaceOp: 'append',
    data: { turn: 1, step: 1, message },
  } as never
}

/** An answer of a tool. */
export function toolResult(seq: number, text: string): SessionEvent {
  const result = { type: 'tool-result', toolCallId: 'c', content: [{ type: 'text', text }] }
  const message = { id: `m${seq}`, role: 'user', source: { kind: 'tool', callId: 'c' }, content: [result] }
  return { type: 'tool/result', seq, time: T0 + seq, surfaceOp: 'append', data: { turn: 1, step: 1, message } } as never
}

/** A delta of a stream; a run of them shares a packed record. */
export function delta(seq: number, text: string): SessionEvent {
  const chunk = { type: 'text-delta', index: 0, text }
  return { type: 'assistant/chunk', seq, time: T0 + seq, data: { turn: 1, step: 1, chunk } } as never
}

/** A log of `length` events in which each tenth is a prompt and two thirds are deltas. */
export function sampleEvents(length: number, from = 0): SessionEvent[] {
  return Array.from({ length }, (_, index) => {
    const seq = from + index
    if (seq % 10 === 0) return prompt(seq, `prompt ${seq} – 漢字`)
    return seq % 10 < 7 ? delta(seq, `δ${seq} `) : event(seq, { of: seq })
  })
}

/** The records of events, as the base makes them. */
export function toRecords(events: readonly SessionEvent[], pack = true): StoredRecord[] {
  return encodeRows(events, { pack }).map(row => ({ ...row, version: SESSION_FORMAT_VERSION }))
}

export async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const batch of batches) all.push(...batch)
  return all
}

/** A record whose body compares by its bytes, whatever kind of array they are in. */
export function plain({ body, ...rest }: StoredRecord): object {
  return { ...rest, body: Buffer.from(body).toString('latin1') }
}
