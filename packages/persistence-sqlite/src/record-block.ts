import type { StoredRecord } from '@dsh/persistence/driver'

/** Records on their way between two threads: a few buffers that change hands without being copied. */
export interface RecordBlock {
  /** The types that occur, each once. */
  readonly types: readonly string[]
  /** Of each record seq, count, time, the index of its type, surface, version, and where its body starts and ends. */
  readonly numbers: Float64Array<ArrayBuffer>
  /** The bodies, and possibly other bytes between them. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Numbers that each record takes in {@link RecordBlock.numbers}. */
export const FIELDS = 8

/** Copies records into a block. */
export function packRecords(records: readonly StoredRecord[]): RecordBlock {
  const types = new Map<string, number>()
  const numbers = new Float64Array(records.length * FIELDS)
  let size = 0
  for (const { body } of records) size += body.length
  const bytes = new Uint8Array(size)
  let field = 0
  let start = 0
  for (const { seq, count, time, type, surface, version, body } of records) {
    numbers[field++] = seq
    numbers[field++] = count
    numbers[field++] = time
    numbers[field++] = indexOfType(types, type)
    numbers[field++] = surface ? 1 : 0
    numbers[field++] = version
    numbers[field++] = start
    bytes.set(body, start)
    start += body.length
    numbers[field++] = start
  }
  return { types: [...types.keys()], numbers, bytes }
}

/** The records of a block; their bodies share its buffer. */
export function unpackRecords({ types, numbers, bytes }: RecordBlock): StoredRecord[] {
  const records: StoredRecord[] = []
  for (let field = 0; field < numbers.length; field += FIELDS) {
    records.push({
      seq: numbers[field]!,
      count: numbers[field + 1]!,
      time: numbers[field + 2]!,
      type: types[numbers[field + 3]!]!,
      surface: numbers[field + 4] === 1,
      version: numbers[field + 5]!,
      body: bytes.subarray(numbers[field + 6]!, numbers[field + 7]!),
    })
  }
  return records
}

/** The buffers of a block, to be handed over with it. */
export function buffersOf({ numbers, bytes }: RecordBlock): ArrayBuffer[] {
  return [numbers.buffer, bytes.buffer]
}

/** The place of `type` in the table of a block, which it is added to where it is missing. */
export function indexOfType(types: Map<string, number>, type: string): number {
  const known = types.get(type)
  if (known !== undefined) return known
  types.set(type, types.size)
  return types.size - 1
}
