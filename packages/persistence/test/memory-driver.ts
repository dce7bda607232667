import type { PersistenceOptions } from '@dsh/persistence'
import { SessionPersistence } from '@dsh/persistence'
import type {
  Driver,
  DriverHandle,
  ListPage,
  ListQuery,
  OpenMode,
  ReadRange,
  RemoveOptions,
  StoredRecord,
} from '@dsh/persistence/driver'
import { defineManifest, lastActivity, pageEntries } from '@dsh/persistence/driver'
import type { SessionErrorCode, SessionHeader, SessionId } from '@dsh/session'
import { SessionError } from '@dsh/session'
import type { Context } from 'cordis'

/** What outlives a driver: stands for a disk or a server. */
export class MemoryStorage {
  readonly sessions = new Map<SessionId, StoredSession>()
  readonly trash = new Map<SessionId, StoredSession[]>()
}

export interface StoredSession {
  readonly header: SessionHeader
  readonly records: StoredRecord[]
  owner?: MemoryHandle
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
    const { id } = this.header
    if (this.stored.owner !== this || this.storage.sessions.get(id) !== this.stored) {
      throw refusal('OWNERSHIP_LOST', id, 'a session that this handle owns', 'one that it does not')
    }
    const currentSeq = nextSeqOf(this.stored.records)
    if (currentSeq !== expectedSeq) {
      const details = { expectedSeq, currentSeq }
      throw refusal('SEQ_CONFLICT', id, `a log whose next number is ${expectedSeq}`, `${currentSeq}`, details)
    }
    this.stored.records.push(...records)
    this.nextSeq = nextSeqOf(this.stored.records)
  }

  async *read(range: ReadRange, signal?: AbortSignal): AsyncIterable<readonly StoredRecord[]> {
    const { from = 0, to = Infinity, filter, reverse } = range
    const found = this.stored.records.filter(
      record => record.seq + record.count > from && record.seq < to && (filter === undefined || record.surface),
    )
    if (reverse) found.reverse()
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
    this.refuseStored(header.id)
    const stored: StoredSession = { header, records: [...records] }
    this.storage.sessions.set(header.id, stored)
    return this.own(stored)
  }

  async open(id: SessionId, mode: OpenMode): Promise<DriverHandle> {
    const stored = find(this.storage.sessions, id)
    if (mode === 'read') return new MemoryHandle(this.storage, stored)
    refuseOwned(stored)
    return this.own(stored)
  }

  async list(query: ListQuery): Promise<ListPage> {
    const { sessions, trash } = this.storage
    const listed = query.trashed ? [...trash.values()].flat() : [...sessions.values()]
    const entries = listed.map(({ header, records }) => ({
      id: header.id,
      header,
      nextSeq: nextSeqOf(records),
      lastTime: lastActivity(header, records.at(-1)?.time),
      state: 'ok' as const,
    }))
    return pageEntries(entries, query)
  }

  async remove(id: SessionId, { trashed }: RemoveOptions = {}): Promise<void> {
    const { sessions, trash } = this.storage
    const from: Map<SessionId, unknown> = trashed ? trash : sessions
    find(from, id)
    refuseOwned(sessions.get(id))
    from.delete(id)
  }

  async close(): Promise<void> {
    for (const handle of this.handles) await handle.close()
  }

  exists(id: SessionId): boolean {
    return this.storage.sessions.has(id)
  }

  async trash(id: SessionId): Promise<void> {
    const { sessions, trash } = this.storage
    const stored = find(sessions, id)
    refuseOwned(stored)
    sessions.delete(id)
    trash.set(id, [...(trash.get(id) ?? []), stored])
  }

  async restore(id: SessionId): Promise<void> {
    const { sessions, trash } = this.storage
    const kept = find(trash, id)
    this.refuseStored(id)
    sessions.set(id, kept.at(-1)!)
    if (kept.length > 1) trash.set(id, kept.slice(0, -1))
    else trash.delete(id)
  }

  private own(stored: StoredSession): MemoryHandle {
    const handle = new MemoryHandle(this.storage, stored)
    stored.owner = handle
    this.handles.add(handle)
    return handle
  }

  private refuseStored(id: SessionId): void {
    if (this.exists(id)) throw refusal('SESSION_ALREADY_EXISTS', id, 'an id that is not stored', 'a stored session')
  }
}

export interface MemoryConfig extends Partial<PersistenceOptions> {
  readonly storage: MemoryStorage
}

export class MemoryPersistence extends SessionPersistence {
  constructor(ctx: Context, { storage, ...options }: MemoryConfig) {
    super(ctx, { manifest: memoryManifest, connect: () => new MemoryDriver(storage) }, options)
  }
}

export function nextSeqOf(records: readonly StoredRecord[]): number {
  const last = records.at(-1)
  return last === undefined ? 0 : last.seq + last.count
}

function find<T>(sessions: ReadonlyMap<SessionId, T>, id: SessionId): T {
  const stored = sessions.get(id)
  if (stored === undefined) throw refusal('SESSION_NOT_FOUND', id, 'a stored session', 'none')
  return stored
}

function refuseOwned(stored: StoredSession | undefined): void {
  if (stored?.owner === undefined) return
  throw refusal('SESSION_LOCKED', stored.header.id, 'a session that nobody writes', 'another writer')
}

function refusal(code: SessionErrorCode, session: SessionId, expected: string, found: string, details = {}) {
  return new SessionError(code, { expected, found, session, details })
}
