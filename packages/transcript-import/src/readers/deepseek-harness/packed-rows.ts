import type { JsonValue } from '@dsh/llm'
import { Fields } from '../../fields.js'
import { field, type JsonRecord } from '../../json-value.js'
import type { SourceEvent } from '../event-log/source-event.js'

const tags: ReadonlySet<unknown> = new Set(['text-chunks', 'reasoning-chunks', 'tool-call-chunks'])

/** Whether a row holds a run of stream deltas in the form of the version 0 logs: a list of pieces. */
export function isPackedRow(row: JsonRecord): boolean {
  return tags.has(row.type) && Array.isArray(pieces(row))
}

/** The events of a packed row; undefined where its parts do not fit each other. */
export function unpack(row: JsonRecord): SourceEvent[] | undefined {
  const { data } = row
  const texts = pieces(row)
  const dt = field(data, 'dt')
  if (!Array.isArray(texts) || !texts.every(text => typeof text === 'string')) return undefined
  if (texts.length === 0 || !isGaps(dt, texts.length - 1)) return undefined
  const [first, start] = [integer(row.seq0), integer(row.time0)]
  const [turn, step, index] = [field(data, 'turn'), field(data, 'step'), field(data, 'index')]
  if (turn === undefined || step === undefined || index === undefined) return undefined
  let elapsed = 0
  return texts.map((text, member) => {
    if (member > 0) elapsed += dt[member - 1]!
    return {
      type: 'assistant/chunk',
      ...(first !== undefined && { seq: first + member }),
      ...(start !== undefined && { time: start + elapsed }),
      data: { turn, step, chunk: delta(row, index, text) },
    }
  })
}

/** The fields of a packed row that its events do not hold. */
export function packedRest(row: JsonRecord): JsonRecord | undefined {
  const fields = new Fields(row).spend('type', 'seq0', 'time0')
  fields.object('data')?.spend('turn', 'step', 'index', 'dt', 'texts', 'args', 'id', 'name')
  return fields.rest()
}

function pieces({ type, data }: JsonRecord): JsonValue | undefined {
  return field(data, type === 'tool-call-chunks' ? 'args' : 'texts')
}

function delta({ type, data }: JsonRecord, index: JsonValue, text: string): JsonRecord {
  if (type === 'text-chunks') return { type: 'text-delta', index, text }
  if (type === 'reasoning-chunks') return { type: 'reasoning-delta', index, text }
  const [id, name] = [field(data, 'id') ?? '', field(data, 'name')]
  return { type: 'tool-call-delta', index, id, ...(name !== undefined && { name }), argumentsDelta: text }
}

function isGaps(value: JsonValue | undefined, count: number): value is readonly number[] {
  return Array.isArray(value) && value.length === count && value.every(gap => Number.isSafeInteger(gap))
}

function integer(value: JsonValue | undefined): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}
