import type { JsonValue } from '@dsh/llm'
import { isRecord } from '../json-value.js'
import type { ParsedDocument } from './document.js'
import { byteLength } from './line-records.js'
import type { DamagedRecord, Position, SourceRecord } from './record.js'

/**
 * The records of a document: first itself without the lists that hold the others, then their elements in order. A
 * document that is a list has only elements.
 * @param lists keys of the lists that hold records
 * @param place where the document lies in a file that holds several
 */
export function documentRecords(
  document: JsonValue,
  lists: readonly string[],
  place: Position = {},
): readonly SourceRecord[] {
  const records: SourceRecord[] = []
  const add = (value: JsonValue, path: string, list?: string) =>
    records.push({ ordinal: records.length, position: { ...place, path }, value, ...(list !== undefined && { list }) })
  if (Array.isArray(document)) {
    document.forEach((value, index) => {
      add(value, `[${index}]`, '')
    })
    return records
  }
  if (!isRecord(document)) return records
  const held = lists.filter(key => Array.isArray(document[key]))
  const others = Object.entries(document).filter(([key]) => !held.includes(key))
  if (others.length > 0) add(Object.fromEntries(others), '')
  for (const key of held) {
    ;(document[key] as readonly JsonValue[]).forEach((value, index) => {
      add(value, `${key}[${index}]`, key)
    })
  }
  return records
}

/** What could not be read at the end of a document. */
export function documentDamage({ text, damage }: ParsedDocument, ordinal: number): DamagedRecord | undefined {
  if (damage === undefined) return undefined
  const lost = text.slice(damage.start, damage.end)
  const position = { path: '', byte: byteLength(text.slice(0, damage.start)) }
  const reason = 'the document breaks off'
  return { ordinal, position, damage: { reason, text: lost.slice(0, 65_536), bytes: byteLength(lost) } }
}
