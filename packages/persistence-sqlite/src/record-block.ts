import type { StoredRecord } from '@dsh/persistence/driver'

/** Records on their way between two threads: a few buffers that change hands without being copied. */
export interface RecordBlock {
  /** The types that occur, each once. */
  readonly types: readonly string[]
  /** Of each record seq, count, time, the index of its type, surface, version and the length of its body. */
  readonly numbers: Float64Array<ArrayBuffer>
  /** The bodies, with a line feed between two. */
  readonly bodies: Uint8Array<ArrayBuffer>
}

/** Numbers that each record takes in {@link RecordBlock.numbers}. */
export const FIELDS = 7

const LINE_FEED = 0x0a

/** Copies records into a block. */
export function packRecords(records: readonly StoredRecord[]): RecordBlock {
  const types = new Map<string, number>()
  const numbers = new Float64Array(records.length * FIELDS)
  let size = Math.max(0, records.length - 1)
  for (const { body } of records) size += body.length
  const bodies = new Uint8Array(size)
  let field = 0
  let start = 0
  for (const { seq, count, time, type, surface, version, body } of records) {
    numbers[field++] = seq
    numbers[field++] = count
    numbers[field++] = time
    numbers[field++] = indexOfType(types, type)
    numbers[field++] = surface ? 1 : 0
    numbers[field++] = version
    numbers[field++] = body.length
    bodies.set(body, start)
    start += body.length
    if (start < size) bodies[start++] = LINE_FEED
  }
  return { types: [...types.keys()], numbers, bodies }
}

/** The records of a block; their bodies share its buffer. */
export function unpackRecords({ types, numbers, bodies }: RecordBlock): StoredRecord[] {
  const records: StoredRecord[] = []
  let start = 0
  for (let field = 0; field < numbers.length; field += FIELDS) {
    const end = start + numbers[field + 6]!
    records.push({
      seq: numbers[field]!,
      count: numbers[field + 1]!,
      time: numbers[field + 2]!,
      type: types[numbers[field + 3]!]!,
      surface: numbers[field + 4] === 1,
      version: numbers[field + 5]!,
      body: bodies.subarray(start, end),
    })
    start = end + 1
  }
  return records
}

/** The buffers of a block, to be handed over with it. */
export function buffersOf({ numbers, bodies }: RecordBlock): ArrayBuffer[] {
  return [numbers.buffer, bodies.buffer]
}

/** The place of `type` in the table of a block, which it is added to where it is missing. */
export function indexOfType(types: Map<string, number>, type: string): number {
  const known = types.get(type)
  if (known !== undefined) return known
  types.set(type, types.size)
  return types.size - 1
}
