import { setImmediate } from 'node:timers/promises'
import type { ListEntry, ListPage, ListQuery } from '@dsh/persistence/driver'
import { formatCursor } from '@dsh/persistence/driver'
import { SESSION_FORMAT_VERSION, type SessionHeader } from '@dsh/session'
import type { Connection } from './connection.js'
import { errorOfImage } from './error-image.js'

/** Entries that are read at a time. */
const SLICE = 250
/** Numbers before the header in a line. */
const FACTS = 7

/** A page of stored sessions; a damaged one is an entry that says so. @throws INVALID_BOUNDARY, STORAGE_FAILED */
export async function listEntries(connection: Connection, query: ListQuery): Promise<ListPage> {
  const found = await connection.call('listLines', query)
  const entries = found && (await parseLines(found.lines))
  if (!entries) return lookAtEach(connection, query)
  return found.hasMore ? { entries, cursor: formatCursor(entries.at(-1)!) } : { entries }
}

async function lookAtEach(connection: Connection, query: ListQuery): Promise<ListPage> {
  const { entries, ...page } = await connection.call('list', query)
  return {
    ...page,
    entries: entries.map(({ error, ...entry }) => ({ ...entry, ...(error && { error: errorOfImage(error) }) })),
  }
}

/** The entries of verified lines; undefined when one of them has a header of another format version. */
async function parseLines(text: string): Promise<ListEntry[] | undefined> {
  const entries: ListEntry[] = []
  const lines = text === '' ? [] : text.split('\n')
  for (const line of lines) {
    const fields = line.split(' ', FACTS)
    const [nextSeq, lastTime, bytes, , inTurn] = fields.map(Number) as [number, number, number, number, number]
    const start = fields.reduce((sum, field) => sum + field.length + 1, 0)
    const header: SessionHeader = Object.freeze(JSON.parse(line.slice(start)))
    if (header.version !== SESSION_FORMAT_VERSION) return undefined
    entries.push({ id: header.id, header, nextSeq, lastTime, bytes, state: inTurn === 1 ? 'unfinished' : 'ok' })
    if (entries.length % SLICE === 0 && entries.length < lines.length) await setImmediate()
  }
  return entries
}
