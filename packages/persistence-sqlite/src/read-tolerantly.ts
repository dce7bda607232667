import type { TolerantItem, TolerantRead } from '@dsh/persistence/driver'
import type { SessionId } from '@dsh/session'
import type { Connection } from './connection.js'
import type { TolerantPlace } from './database/read-tolerant.js'

/** Reads a session around its damage. @throws SESSION_NOT_FOUND, STORAGE_FAILED */
export async function readTolerantly(connection: Connection, id: SessionId): Promise<TolerantRead> {
  const { no, header } = await connection.call('openTolerant', { id })
  async function* items(): AsyncGenerator<TolerantItem> {
    let place: TolerantPlace | undefined = { by: 'seq', from: 0 }
    while (place) {
      const page: Awaited<ReturnType<typeof next>> = await next(place)
      yield* page.items
      place = page.next
    }
  }
  const next = (place: TolerantPlace) => connection.call('readTolerant', { ref: { no, id }, place })
  return { ...(header && { header }), items: items() }
}
