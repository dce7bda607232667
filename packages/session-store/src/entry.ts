import { type Session, SessionError, type SessionEvent } from '@dsh/session'
import { attachHost, type SessionHost } from '@dsh/session/host'
import type { Dispatch, EventBus, Listener, SessionEventName } from './bus.js'
import { consult, type Failure, notify, settle } from './dispatch.js'

/** The store that an entry is in. */
export interface EntryStore {
  readonly bus: EventBus
  /** Frees the id of an entry that is leaving. */
  remove(entry: SessionEntry): void
}

/** One stay of one session in a store, from its entry until it leaves. */
export class SessionEntry implements SessionHost {
  readonly session: Session
  /** Lets go of a session that has left. Until then its appends are refused. */
  readonly detachHost: () => void
  /** Called once, when the session leaves, whoever asked for it. */
  onLeave: (() => void) | undefined
  readonly #store: EntryStore
  readonly #bus: EventBus
  readonly #scope: object
  #state: 'entered' | 'announcing' | 'announced' | 'left' = 'entered'
  /** How many dispatches of this session are on the stack. */
  #depth = 0
  #leaveAtEnd = false
  #deferred: (() => void)[] = []
  #publishingDeferred = false
  #closing: Promise<void> | undefined

  /**
   * @param scope passed to every dispatch; decides who hears the session
   * @throws SESSION_ALREADY_EXISTS when the session is in a store
   */
  constructor(session: Session, scope: object, store: EntryStore) {
    this.session = session
    this.#scope = scope
    this.#store = store
    this.#bus = store.bus
    this.detachHost = attachHost(session, this)
  }

  /** Whether `session/created` has been, or is being, dispatched. */
  get announced(): boolean {
    return this.#state === 'announcing' || this.#state === 'announced'
  }

  get hasLeft(): boolean {
    return this.#state === 'left'
  }

  /** Lets validators of dispatches refuse an event before it is committed. The result publishes it afterwards. */
  admit(event: SessionEvent): (() => void) | undefined {
    if (this.#state === 'left') throw this.#notLive(event.seq)
    if (this.#publishingDeferred) throw this.#reentrant(event.seq)
    const dispatch = this.#dispatch('session/event', event)
    this.#depth++
    try {
      const listeners = this.#bus.listeners(dispatch)
      if (listeners !== undefined) return () => this.#committed(dispatch, listeners)
      this.#depth--
      return undefined
    } catch (error) {
      this.#unwind()
      throw error
    }
  }

  /**
   * Dispatches `session/created`, then publishes what was appended since the entry, so that a session is heard of before
   * its events are. A listener that throws makes the session leave, and its error is passed on.
   */
  announce(): void {
    if (this.#state === 'left') throw this.#notLive()
    if (this.#state !== 'entered') return
    const dispatch = this.#dispatch('session/created')
    this.#depth++
    try {
      const listeners = this.#bus.listeners(dispatch) ?? []
      this.#state = 'announcing'
      consult(this.#bus, dispatch, listeners)
      this.#state = 'announced'
      this.#publishDeferred()
    } catch (error) {
      this.#leaveAtEnd = true
      throw error
    } finally {
      this.#unwind()
    }
  }

  /** Runs and awaits every `session/flush` listener, then rejects with the first failure in their order. */
  async flush(): Promise<void> {
    const dispatch = this.#dispatch('session/flush')
    const [first, ...others] = await this.#settle(dispatch)
    for (const { error, listener } of others) this.#bus.report(error, dispatch, listener)
    if (first !== undefined) throw first.error
  }

  /** Leaves the store and dispatches `session/disposed`; where a dispatch is under way, at its end. Idempotent. */
  leave(): void {
    if (this.#state === 'left') return
    if (this.#depth > 0) {
      this.#leaveAtEnd = true
      return
    }
    const { announced } = this
    this.#state = 'left'
    this.#deferred = []
    this.#store.remove(this)
    this.onLeave?.()
    if (announced) this.#publishDisposed()
  }

  /** Flushes, then leaves. A flush that fails is logged. Never rejects. */
  close(): Promise<void> {
    if (this.#state !== 'left') this.#closing ??= this.#flushAndLeave()
    return this.#closing ?? Promise.resolve()
  }

  #committed(dispatch: Dispatch, listeners: readonly Listener[]): void {
    if (this.#state === 'announced') notify(this.#bus, dispatch, listeners)
    else if (listeners.length > 0) this.#deferred.push(() => notify(this.#bus, dispatch, listeners))
    this.#unwind()
  }

  #publishDeferred(): void {
    this.#publishingDeferred = true
    for (const publish of this.#deferred) publish()
    this.#deferred = []
    this.#publishingDeferred = false
  }

  #publishDisposed(): void {
    const dispatch = this.#dispatch('session/disposed')
    try {
      notify(this.#bus, dispatch, this.#bus.listeners(dispatch) ?? [])
    } catch (error) {
      this.#bus.report(error, dispatch)
    }
  }

  #settle(dispatch: Dispatch): Promise<Failure[]> {
    this.#depth++
    try {
      return settle(dispatch, this.#bus.listeners(dispatch) ?? [])
    } finally {
      this.#unwind()
    }
  }

  async #flushAndLeave(): Promise<void> {
    try {
      await this.flush()
    } catch (error) {
      this.#bus.report(error, this.#dispatch('session/flush'))
    }
    this.leave()
  }

  #dispatch(name: SessionEventName, event?: SessionEvent): Dispatch {
    return { name, scope: this.#scope, session: this.session, event }
  }

  #unwind(): void {
    this.#depth--
    if (this.#leaveAtEnd) this.leave()
  }

  #notLive(seq?: number): SessionError {
    return new SessionError('SESSION_NOT_LIVE', {
      expected: 'a session in its store',
      found: 'one that has left it',
      session: this.session.id,
      ...(seq === undefined ? {} : { seq }),
    })
  }

  #reentrant(seq: number): SessionError {
    return new SessionError('REENTRANT_APPEND', {
      expected: 'no append while an event is being published',
      found: 'one made by a listener',
      session: this.session.id,
      seq,
    })
  }
}
