import { setImmediate } from 'node:timers/promises'
import type { ListEntry, ListPage, ListQuery } from '@dsh/persistence/driver'
import { SESSION_FORMAT_VERSION, type SessionHeader } from '@dsh/session'
import type { Connection } from './connection.js'
import { cursorAfter } from './cursor-after.js'
import { errorOfImage } from './error-image.js'

/** What a checksum covers of a session, in its order. */
type Facts = readonly [
  nextSeq: number,
  lastTime: number,
  bytes: number,
  surfaces: number,
  inTurn: number,
  trashed: number,
  epoch: number,
  header: SessionHeader,
]

/** A page of stored sessions; a damaged one is an entry that says so. @throws INVALID_BOUNDARY, STORAGE_FAILED */
export async function listEntries(connection: Connection, query: ListQuery): Promise<ListPage> {
  const entries: ListEntry[] = []
  let isUnderstood = true
  let parsing = Promise.resolve()
  const take = (slice: string) => {
    parsing = parsing.then(async () => {
      // Others run between two slices, also when both are there already.
      if (entries.length > 0) await setImmediate()
      isUnderstood &&= parseSlice(slice, entries)
    })
  }
  const found = await connection.call('listFacts', query, { take })
  await parsing
  if (!found || !isUnderstood) return lookAtEach(connection, query)
  return found.hasMore ? { entries, cursor: cursorAfter(entries.at(-1)!, found.lastTrashed) } : { entries }
}

async function lookAtEach(connection: Connection, query: ListQuery): Promise<ListPage> {
  const { entries, ...page } = await connection.call('list', query)
  return {
    ...page,
    entries: entries.map(({ error, ...entry }) => ({ ...entry, ...(error && { error: errorOfImage(error) }) })),
  }
}

/** Adds the entries of verified sessions; false when one of them has a header of another format version, or none. */
function parseSlice(slice: string, entries: ListEntry[]): boolean {
  let listed: Facts[]
  try {
    listed = JSON.parse(slice)
  } catch {
    return false
  }
  for (const facts of listed) {
    const header = Object.freeze(facts[7])
    if (header.version !== SESSION_FORMAT_VERSION) return false
    const state = facts[4] === 1 ? 'unfinished' : 'ok'
    entries.push({ id: header.id, header, nextSeq: facts[0], lastTime: facts[1], bytes: facts[2], state })
  }
  return true
}
