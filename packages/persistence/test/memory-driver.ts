import type {
  Driver,
  DriverHandle,
  ListPage,
  ListQuery,
  OpenMode,
  ReadRange,
  StoredRecord,
} from '@dsh/persistence/driver'
import { defineManifest, pageEntries } from '@dsh/persistence/driver'
import type { SessionHeader, SessionId } from '@dsh/session'
import { SessionError } from '@dsh/session'

/** What survives when a driver is closed: this stands for a disk or a server. */
export class MemoryStorage {
  readonly sessions = new Map<SessionId, StoredSession>()
  readonly trash = new Map<SessionId, StoredSession>()
}

export interface StoredSession {
  readonly header: SessionHeader
  readonly records: StoredRecord[]
  owner?: MemoryHandle
}

export function nextSeqOf(records: readonly StoredRecord[]): number {
  const last = records.at(-1)
  return last === undefined ? 0 : last.seq + last.count
}

export class MemoryHandle implements DriverHandle {
  readonly header: SessionHeader
  nextSeq: number
  private readonly storage: MemoryStorage
  private readonly stored: StoredSession

  constructor(storage: MemoryStorage, stored: StoredSession) {
    this.storage = storage
    this.stored = stored
    this.header = stored.header
    this.nextSeq = nextSeqOf(stored.records)
  }

  async append(expectedSeq: number, records: readonly StoredRecord[]): Promise<void> {
    const session = this.header.id
    if (this.stored.owner !== this || this.storage.sessions.get(session) !== this.stored) {
      throw new SessionError('OWNERSHIP_LOST', {
        expected: 'to own the session',
        found: 'that it is not ours',
        session,
      })
    }
    const currentSeq = nextSeqOf(this.stored.records)
    if (currentSeq !== expectedSeq) {
      throw new SessionError('SEQ_CONFLICT', {
        expected: `the log to end before ${expectedSeq}`,
        found: `that its next number is ${currentSeq}`,
        session,
        details: { expectedSeq, currentSeq },
      })
    }
    this.stored.records.push(...records)
    this.nextSeq = nextSeqOf(this.stored.records)
  }

  async *read(range: ReadRange, signal?: AbortSignal): AsyncIterable<readonly StoredRecord[]> {
    const { from = 0, to = Infinity } = range
    const found = this.stored.records.filter(
      record => record.seq + record.count > from && record.seq < to && (range.filter === undefined || record.surface),
    )
    if (range.reverse) found.reverse()
    for (let start = 0; start < found.length; start += 100) {
      signal?.throwIfAborted()
      yield found.slice(start, start + 100)
    }
  }

  async close(): Promise<void> {
    if (this.stored.owner === this) delete this.stored.owner
  }
}

export const memoryManifest = defineManifest('memory', 'existence', 'trash')

export class MemoryDriver implements Driver {
  private readonly storage: MemoryStorage
  private readonly handles = new Set<MemoryHandle>()

  constructor(storage: MemoryStorage) {
    this.storage = storage
  }

  async create(header: SessionHeader, records: readonly StoredRecord[]): Promise<DriverHandle> {
    if (this.storage.sessions.has(header.id)) {
      throw new SessionError('SESSION_ALREADY_EXISTS', {
        expected: 'an id that is not stored',
        found: 'a stored session',
        session: header.id,
      })
    }
    const stored: StoredSession = { header, records: [...records] }
    this.storage.sessions.set(header.id, stored)
    return this.own(stored)
  }

  async open(id: SessionId, mode: OpenMode): Promise<DriverHandle> {
    const stored = this.find(this.storage.sessions, id)
    if (mode === 'read') return new MemoryHandle(this.storage, stored)
    this.refuseOwned(stored)
    return this.own(stored)
  }

  async list(query: ListQuery): Promise<ListPage> {
    const sessions = query.trashed ? this.storage.trash : this.storage.sessions
    const entries = [...sessions.values()].map(({ header, records }) => ({
      id: header.id,
      header,
      nextSeq: nextSeqOf(records),
      lastTime: records.at(-1)?.time ?? header.createdAt,
      state: 'ok' as const,
    }))
    return pageEntries(entries, query)
  }

  async remove(id: SessionId): Promise<void> {
    this.refuseOwned(this.find(this.storage.sessions, id))
    this.storage.sessions.delete(id)
  }

  async close(): Promise<void> {
    for (const handle of this.handles) await handle.close()
  }

  exists(id: SessionId): boolean {
    return this.storage.sessions.has(id)
  }

  async trash(id: SessionId): Promise<void> {
    const stored = this.find(this.storage.sessions, id)
    this.refuseOwned(stored)
    this.storage.sessions.delete(id)
    this.storage.trash.set(id, stored)
  }

  async restore(id: SessionId): Promise<void> {
    const stored = this.find(this.storage.trash, id)
    if (this.storage.sessions.has(id)) {
      throw new SessionError('SESSION_ALREADY_EXISTS', {
        expected: 'an id that is not stored',
        found: 'a stored session',
        session: id,
      })
    }
    this.storage.trash.delete(id)
    this.storage.sessions.set(id, stored)
  }

  private own(stored: StoredSession): MemoryHandle {
    const handle = new MemoryHandle(this.storage, stored)
    stored.owner = handle
    this.handles.add(handle)
    return handle
  }

  private find(sessions: ReadonlyMap<SessionId, StoredSession>, id: SessionId): StoredSession {
    const stored = sessions.get(id)
    if (stored) return stored
    throw new SessionError('SESSION_NOT_FOUND', { expected: 'a stored session', found: 'none', session: id })
  }

  private refuseOwned(stored: StoredSession): void {
    if (!stored.owner) return
    throw new SessionError('SESSION_LOCKED', {
      expected: 'a session that nobody writes',
      found: 'another writer',
      session: stored.header.id,
    })
  }
}
