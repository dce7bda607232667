import type { Session } from '@dsh/session'
import { parseValue } from '../../src/source/parse.js'

/** Fields that are said by the order of the events, their ids, their times or their types. */
const structural: ReadonlySet<string> = new Set([
  ...['id', 'uuid', 'parentUuid', 'parentId', 'firstKeptEntryId', 'sourceToolAssistantUUID', 'cause', 'action_id'],
  ...['timestamp', 'startTime', 'created', 'type', 'role', 'source', 'status', 'stop_reason', 'stopReason', 'kind'],
  ...['action', 'observation'],
])

/** The texts of a transcript that no event holds, with where they are. */
export function lostTexts(transcript: string, sessions: readonly Session[]): string[] {
  const texts = sessions.flatMap(({ header, events }) =>
    [...leaves([header, events] as never, '')].map(([, text]) => text),
  )
  const whole = new Set(texts)
  const all = texts.join('\n')
  return records(transcript).flatMap(record =>
    [...leaves(record, '')]
      .filter(([path, text]) => !structural.has(path.split('.').at(-1)!.replaceAll('[]', '')) && !whole.has(text))
      // What is in arguments or in a part shown as it is has been escaped.
      .filter(([, text]) => !all.includes(text) && !all.includes(JSON.stringify(text).slice(1, -1)))
      .map(([path, text]) => `${path}: ${text}`),
  )
}

function records(transcript: string): unknown[] {
  const document = parseValue(transcript)
  if (document !== undefined) return [document]
  return transcript.split('\n').map(line => parseValue(line))
}

function* leaves(value: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value))
    yield* leaves(item, Array.isArray(value) ? `${path}[]` : `${path}.${key}`)
}

/** The transcript with another field in each of its objects, each with a text of its own. */
export function withMoreFields(transcript: string): string {
  let count = 0
  const more = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(more)
    return {
      ...Object.fromEntries(Object.entries(value).map(([key, item]) => [key, more(item)])),
      novel: `novel-${count++}-`,
    }
  }
  const document = parseValue(transcript)
  if (document !== undefined) return JSON.stringify(more(document))
  return transcript
    .split('\n')
    .map(line => (line === '' ? '' : JSON.stringify(more(JSON.parse(line)))))
    .join('\n')
}
