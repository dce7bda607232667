import type { JsonValue } from '@dsh/llm'

/** Where a record lies; the origin of the events that are made of it, but for the format. */
export interface Position {
  readonly line?: number
  readonly item?: number
  readonly path?: string
  readonly byte?: number
}

/** One record of a transcript: a line of a file of lines, or an element of a document's list. */
export interface SourceRecord {
  /** Counts the records of the file, from 0. */
  readonly ordinal: number
  readonly position: Position
  readonly value: JsonValue
  /** The list of the document that holds it; absent for lines and for the document itself. */
  readonly list?: string
}

/** Bytes that are no record. */
export interface DamagedRecord {
  readonly ordinal: number
  readonly position: Position
  readonly damage: { readonly reason: string; readonly text: string; readonly bytes: number }
}

export function isDamaged(record: SourceRecord | DamagedRecord): record is DamagedRecord {
  return 'damage' in record
}

/** Names a position in ids: `17`, `17.2`, `messages[3]`. */
export function positionName({ line, item, path }: Position): string {
  const place = line === undefined ? '' : item === undefined ? `${line}` : `${line}.${item}`
  if (path === undefined || path === '') return place === '' ? 'document' : place
  return place === '' ? path : `${place}:${path}`
}
