import { type Session, SessionError } from '@dsh/session'
import type { EventBus } from './bus.js'
import { type EntryStore, SessionEntry } from './entry.js'

/** The entry that a session is in, or was in last, whichever store that belongs to. */
const lastEntries = new WeakMap<Session, SessionEntry>()

/** The sessions of one store by id. */
export class LiveSessions implements EntryStore {
  readonly bus: EventBus
  readonly #entries = new Map<string, SessionEntry>()
  #isClosed = false

  constructor(bus: EventBus) {
    this.bus = bus
  }

  get(id: string): Session | undefined {
    return this.#entries.get(id)?.session
  }

  /** The announced sessions, in order of their entry. */
  list(): Session[] {
    return [...this.#entries.values()].filter(entry => entry.announced).map(entry => entry.session)
  }

  /**
   * Puts a session into the store, unannounced.
   * @param scope decides who hears it
   * @throws SESSION_ALREADY_EXISTS when its id is taken, or when it is in a store; SESSION_NOT_LIVE when this store closed
   */
  enter(session: Session, scope: object): SessionEntry {
    if (this.#isClosed) {
      throw new SessionError('SESSION_NOT_LIVE', {
        expected: 'a running session store',
        found: 'one that was disposed',
        session: session.id,
      })
    }
    this.requireFree(session.id)
    const former = lastEntries.get(session)
    if (former?.hasLeft) former.detachHost()
    const entry = new SessionEntry(session, scope, this)
    lastEntries.set(session, entry)
    this.#entries.set(session.id, entry)
    return entry
  }

  /** @throws SESSION_ALREADY_EXISTS when a live session has this id */
  requireFree(id: string): void {
    if (!this.#entries.has(id)) return
    throw new SessionError('SESSION_ALREADY_EXISTS', { expected: 'a free id', found: 'a live session', session: id })
  }

  /** The entry of a session object. @throws SESSION_NOT_LIVE when it is not in this store */
  entryOf(session: Session): SessionEntry {
    const entry = this.#entries.get(session.id)
    if (entry?.session === session) return entry
    throw new SessionError('SESSION_NOT_LIVE', {
      expected: 'a session in this store',
      found: entry === undefined ? 'one that is not in it' : 'another object of the same id',
      session: session.id,
    })
  }

  /** The session that an object or an id stands for. @throws SESSION_NOT_LIVE for an object, SESSION_NOT_FOUND for an id */
  resolve(source: Session | string): Session {
    if (typeof source !== 'string') return this.entryOf(source).session
    const session = this.get(source)
    if (session !== undefined) return session
    throw new SessionError('SESSION_NOT_FOUND', {
      expected: 'a live session',
      found: 'none of this id',
      session: source,
    })
  }

  /** Refuses entries from here on, closes every session and resolves when all have left. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#entries.values()].map(entry => entry.close()))
  }

  remove(entry: SessionEntry): void {
    this.#entries.delete(entry.session.id)
  }
}
