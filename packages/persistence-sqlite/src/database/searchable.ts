import { messageText } from '@dsh/llm'
import type { SearchRole, StoredRecord } from '@dsh/persistence/driver'
import { decodeRow, deriveEventMessage } from '@dsh/session'

/** Whose words the messages of each type of event are. */
const roles: Readonly<Record<string, SearchRole>> = {
  'user/message': 'user',
  'steering/message': 'user',
  'assistant/message': 'assistant',
  'tool/result': 'tool',
}

/** Whose text a record of this type holds; undefined where it holds none to search. */
export function roleOfType(type: string): SearchRole | undefined {
  return Object.hasOwn(roles, type) ? roles[type] : undefined
}

/** The types whose texts are of one role, or of any. */
export function typesOfRole(role?: SearchRole): string[] {
  return Object.keys(roles).filter(type => role === undefined || roles[type] === role)
}

/** The text of a record as a person reads it; empty where there is none. */
export function textOfRecord(record: StoredRecord): string {
  if (roleOfType(record.type) === undefined) return ''
  try {
    return decodeRow(record)
      .map(event => deriveEventMessage(event))
      .map(message => (message === null ? '' : messageText(message)))
      .join('\n')
  } catch {
    // Written by somebody else, in a shape that only its reading refuses: it is stored, and nothing in it is text.
    return ''
  }
}
