import type { JsonValue } from '@dsh/llm'
import { isRecord, type JsonRecord } from '../../json-value.js'
import { isAbsolutePath } from '../../session-headers.js'

/** A header as a session takes it. */
export interface ReadHeader {
  /** Undefined where there is none that can be used. */
  readonly header: JsonRecord | undefined
  /** The fields that no session takes as they are. */
  readonly left: JsonRecord | undefined
}

/**
 * The header of a log. Fields that are not known are part of it.
 * @param events how many events the log has; a header cannot say that more were inherited
 */
export function readHeader(line: JsonValue | undefined, events: number): ReadHeader {
  if (!isRecord(line)) return { header: undefined, left: undefined }
  const { type: _, ...fields } = line
  if (!isText(fields.id) || !Number.isSafeInteger(fields.createdAt)) return { header: undefined, left: fields }
  const isFine = ([key, value]: [string, JsonValue]) => {
    switch (key) {
      case 'cwd':
        return typeof value === 'string' && isAbsolutePath(value)
      case 'parentSession':
        return isText(value)
      case 'seedLength':
        return isCount(value) && (value as number) <= events
      case 'delegationDepth':
        return isCount(value)
      default:
        return true
    }
  }
  const left = Object.entries(fields).filter(entry => !isFine(entry))
  return {
    header: Object.fromEntries(Object.entries(fields).filter(isFine)),
    left: left.length === 0 ? undefined : Object.fromEntries(left),
  }
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== ''
}

function isCount(value: JsonValue): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
