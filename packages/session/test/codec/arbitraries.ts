import type { SessionEvent, StoredRow } from '@dsh/session'
import fc from 'fast-check'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const bytes = (text: string): Uint8Array => encoder.encode(text)
export const textOf = (row: StoredRow): string => decoder.decode(row.body)

/** Short strings of units that text handling gets wrong, among them halves of surrogate pairs. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      'a',
      'word',
      '',
      '"',
      '\\',
      '\n',
      '\u0000',
      '\u2028',
      '\ufeff',
      'é',
      '世',
      '😀',
      '\ud83d',
      '\ude00',
    ),
    { maxLength: 4 },
  )
  .map(parts => parts.join(''))

const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toJSON', '1', '0', 'data', 'seq'), hostileText)

/** JSON values as `JSON.parse` makes them, with own `__proto__` keys and every kind of string. */
export const json: fc.Arbitrary<unknown> = fc
  .letrec<{ value: string }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc
        .oneof(
          hostileText,
          fc.integer(),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.constant(null),
          fc.boolean(),
        )
        .map(
          // JSON writes -0 as 0.
          value => JSON.stringify(value),
        ),
      fc.array(tie('value'), { maxLength: 3 }).map(members => `[${members.join()}]`),
      fc
        .array(fc.tuple(key, tie('value')), { maxLength: 3 })
        .map(members => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
    ),
  }))
  .value.map(text => JSON.parse(text))

/** An event without its place in the log; `gap` is the time since the one before, `skip` the seqs left out before it. */
export interface Part {
  readonly type: string
  readonly gap: number
  readonly skip: number
  readonly rest: { readonly surfaceOp?: unknown; readonly sourceEventSeqs?: readonly number[]; readonly data: unknown }
}

const gap = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -50, max: 1500 }) },
  fc.constantFrom(2 ** 52, -(2 ** 52)),
)
const skip = fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, fc.constant(1))
const small = fc.integer({ min: 0, max: 1 })

/** Exactly the payloads that may share a packed row. */
const delta = fc
  .record({
    kind: fc.constantFrom('text', 'reasoning', 'call', 'named'),
    turn: small,
    step: small,
    index: small,
    id: hostileText,
  })
  .map(
    ({ kind, turn, step, index, id }) =>
      (piece: string): { turn: unknown; step: unknown; chunk: Record<string, unknown> } => {
        if (kind === 'text' || kind === 'reasoning')
          return { turn, step, chunk: { type: `${kind}-delta`, index, text: piece } }
        const name = kind === 'named' ? { name: id } : {}
        return { turn, step, chunk: { type: 'tool-call-delta', index, id, ...name, argumentsDelta: piece } }
      },
  )

const chunkPart = (data: unknown, gap: number, skip: number): Part => ({
  type: 'assistant/chunk',
  gap,
  skip,
  rest: { data },
})

const run: fc.Arbitrary<Part[]> = fc
  .tuple(delta, fc.array(fc.tuple(hostileText, gap, skip), { maxLength: 12 }))
  .map(([make, members]) => members.map(([piece, gap, skip]) => chunkPart(make(piece), gap, skip)))

/** Payloads that differ from a delta in one thing, so that a packed row could not give them back. */
const nearlyDelta: fc.Arbitrary<unknown> = fc.tuple(delta, hostileText, fc.nat(9)).map(([make, piece, change]) => {
  const data = make(piece)
  const { turn, step, chunk } = data
  const { type, index, ...rest } = chunk
  const changed: unknown[] = [
    { ...data, extra: 1 },
    { step, turn, chunk },
    { turn: String(turn), step, chunk },
    { turn, step: 0.5, chunk },
    { turn, step, chunk: { ...chunk, extra: null } },
    { turn, step, chunk: { index, type, ...rest } },
    { turn, step, chunk: { type, index: null, ...rest } },
    { turn, step, chunk: { type, index, ...rest, ...('text' in rest ? { text: 7 } : { argumentsDelta: [] }) } },
    { turn, step, chunk: [chunk] },
    [turn, step, chunk],
  ]
  return changed[change]
})

const other: fc.Arbitrary<Part> = fc.oneof(
  fc.tuple(nearlyDelta, gap).map(([data, gap]) => chunkPart(data, gap, 0)),
  fc
    .record({ type: fc.constantFrom('turn/start', 'plugin/fact', 'a/é"'), gap, skip, data: json })
    .map(({ data, ...part }) => ({ ...part, rest: { data } })),
  fc
    .record({
      type: fc.constantFrom('user/message', 'assistant/message', 'tool/result', 'steering/message'),
      gap,
      skip,
      surfaceOp: fc.oneof(
        fc.constant('append'),
        fc.record({ op: fc.constant('replace'), start: fc.nat(), end: fc.nat() }, { noNullPrototype: true }),
      ),
      // Negative ones are counted back from the event itself.
      sources: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }), { nil: undefined }),
      data: json,
    })
    .map(({ type, gap, skip, surfaceOp, sources, data }) => ({
      type,
      gap,
      skip,
      rest: sources === undefined ? { surfaceOp, data } : { surfaceOp, sourceEventSeqs: sources, data },
    })),
)

/** Lists of events with ascending seqs: streams of deltas, near misses and everything else, mixed. */
export const eventLists: fc.Arbitrary<SessionEvent[]> = fc
  .tuple(
    fc.array(
      fc.oneof(
        run,
        other.map(part => [part]),
      ),
      { maxLength: 10 },
    ),
    fc.constantFrom(41, 1_000_000, Number.MAX_SAFE_INTEGER - 500),
    fc.constantFrom(0, 1_700_000_000_000, -3, Number.MAX_SAFE_INTEGER - 900),
  )
  .map(([parts, firstSeq, firstTime]) => {
    let seq = firstSeq - 1
    let time = firstTime
    return parts.flat().map(({ type, gap, skip, rest }) => {
      seq += 1 + skip
      time = Number.isSafeInteger(time + gap) ? time + gap : -time
      return { type, seq, time, ...rest } as SessionEvent
    })
  })

/** Whether `value` and all it holds is frozen. */
export function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}
