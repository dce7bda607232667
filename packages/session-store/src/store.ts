import {
  forkSession,
  SESSION_FORMAT_VERSION,
  Session,
  SessionError,
  type SessionEvent,
  type SessionHeader,
  sessionId,
} from '@dsh/session'
import { type PluginConfig, pluginConfig } from '@dsh/session/config'
import { type Context, Service } from 'cordis'
import { CordisBus } from './cordis-bus.js'
import { LiveSessions } from './live-sessions.js'
import { sessionScope } from './scope.js'
import { mintSessionId } from './session-id.js'

/** What a session is created from. */
export interface SessionOptions {
  /** Events to start with, seq 0 first: a replay. None of them is published. */
  readonly seed?: readonly SessionEvent[]
  /** Header fields. `createdAt` is the current time where absent; fields that are `undefined` are left out. */
  readonly meta?: Partial<Omit<SessionHeader, 'version' | 'id'>>
}

/**
 * The live sessions of an application, `ctx.sessions`. A session belongs to the plugin that created it: when that plugin
 * is disposed, the session is flushed, leaves the store, and `session/disposed` is emitted.
 */
export class SessionStore extends Service {
  static readonly Config: PluginConfig<object> = pluginConfig('@dsh/session-store', {})
  private readonly home: Context
  private readonly live: LiveSessions

  constructor(ctx: Context) {
    super(ctx, 'sessions')
    this.home = ctx
    this.live = new LiveSessions(new CordisBus(ctx))
    ctx.effect(() => () => this.live.close(), 'ctx.sessions')
  }

  /**
   * Creates a session that belongs to the calling plugin, and announces it.
   * @param id a random UUID where absent
   * @throws SESSION_ALREADY_EXISTS; what the core throws for a bad id, header or seed; what a `session/created` listener
   *   throws. Nothing is left in the store then.
   */
  create(id?: string, options: SessionOptions = {}): Session {
    return this.adopt(this.prepare(id, options))
  }

  /**
   * Creates a session that starts with the events of another up to and including `boundary`, by default its last event.
   * It belongs to the calling plugin. The inherited events are shared, and none is published.
   * @param source a live session, or its id
   * @throws SESSION_NOT_FOUND for an id, SESSION_NOT_LIVE for an object that is not in this store; INVALID_BOUNDARY outside
   *   the log; OPEN_TURN when the prefix ends inside a turn; and as {@link SessionStore.create}
   */
  fork(source: Session | string, boundary?: number, childId?: string): Session {
    const parent = this.live.resolve(source)
    const id = this.freeId(childId)
    return this.adopt(forkSession(parent, { id, ...(boundary === undefined ? {} : { boundary }) }))
  }

  /**
   * A durability checkpoint: runs and awaits every `session/flush` listener.
   * @throws SESSION_NOT_LIVE, or the first failure of a listener, after all have settled
   */
  async flush(session: Session): Promise<void> {
    await this.live.entryOf(session).flush()
  }

  /** The live session of this id, announced or not. */
  get(id: string): Session | undefined {
    return this.live.get(id)
  }

  /** The sessions that have been announced and not disposed, oldest entry first. */
  list(): Session[] {
    return this.live.list()
  }

  /**
   * Builds a session as {@link SessionStore.create} does, without putting it into the store. Its id is not reserved.
   * @throws as {@link SessionStore.create}, but for listeners
   */
  prepare(id?: string, options: SessionOptions = {}): Session {
    const known = sessionId(this.freeId(id))
    const header = { createdAt: Date.now(), ...presentFields(options.meta), version: SESSION_FORMAT_VERSION, id: known }
    return new Session(known, options.seed, header)
  }

  /**
   * Puts a session into the store, for a caller that orders its teardown itself: no plugin's disposal but that of the store
   * takes it out. It is live from here on, and unheard of until {@link SessionStore.announce}.
   * @returns takes this entry out again, without a flush; a call during a dispatch of the session takes effect at its end.
   *   Idempotent, and without effect on a later entry of the same id.
   * @throws SESSION_ALREADY_EXISTS when the id is taken, or the session is in another store
   */
  enter(session: Session): () => void {
    const entry = this.live.enter(session, sessionScope(this.home, this.ctx))
    return () => entry.leave()
  }

  /**
   * Emits `session/created`, then publishes the events appended since the entry. Without effect when done before.
   * @throws SESSION_NOT_LIVE; what a listener throws: the session has left the store then
   */
  announce(session: Session): void {
    this.live.entryOf(session).announce()
  }

  private adopt(session: Session): Session {
    const entry = this.live.enter(session, sessionScope(this.home, this.ctx))
    try {
      const release = this.ctx.effect(() => () => entry.close(), `ctx.sessions.create(${JSON.stringify(session.id)})`)
      entry.onLeave = () => void release()
    } catch (error) {
      entry.leave()
      throw error
    }
    entry.announce()
    return session
  }

  private freeId(id: string | undefined): string {
    if (id === undefined) return mintSessionId(taken => this.live.get(taken) !== undefined)
    this.live.requireFree(id)
    return id
  }
}

function presentFields(meta: object = {}): object {
  try {
    return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined))
  } catch (cause) {
    throw new SessionError('NOT_JSON', {
      expected: 'metadata that can be read',
      found: 'an exception',
      path: 'meta',
      cause,
    })
  }
}
