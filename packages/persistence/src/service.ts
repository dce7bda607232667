import type { Session, SessionEvent, SessionHeader, SessionId } from '@dsh/session'
import { SessionError, sessionId } from '@dsh/session'
import { listen } from '@dsh/session-store'
import { Context, Service } from 'cordis'
import type { Backend, DriverManifest, RemoveOptions, SearchOptions, SearchPage } from './driver.js'
import { requireCapability } from './driver.js'
import type { Engine } from './engine.js'
import { dispatchError } from './error-event.js'
import { fork } from './fork.js'
import type { SessionPage, SessionQuery } from './list.js'
import { list } from './list.js'
import type { InspectedSession, StoredSession } from './load.js'
import { inspect, load } from './load.js'
import type { PersistenceOptions } from './options.js'
import { resolveOptions } from './options.js'
import type { PruneOptions, PruneReport } from './prune.js'
import { prune } from './prune.js'
import type { EventPage, ReadOptions } from './read-from.js'
import { readFrom } from './read-from.js'
import { remove, restore, trash } from './removal.js'
import type { ResumedSession } from './resume.js'
import { Runtime } from './runtime.js'
import type { SalvageReport } from './salvage.js'
import { salvage } from './salvage.js'
import { closedError } from './storage-error.js'
import type { VerifyReport } from './verify.js'
import { verify } from './verify.js'
import { watch } from './watch.js'

declare module 'cordis' {
  interface Context {
    /** Durable sessions, by whichever backend is mounted. */
    sessionPersistence: SessionPersistence
  }

  interface Events {
    /**
     * Something could not be stored: told once when it begins and again when its reason changes, while the write is
     * retried as long as that can help. `session` is absent when no session is concerned. Failures of listeners are logged.
     */
    'persistence/error'(error: SessionError, session: Session | undefined): void
  }
}

const name = 'sessionPersistence'

/**
 * Durable sessions, `ctx.sessionPersistence`: stores what is appended to the sessions of `ctx.sessions`, and brings stored
 * sessions back. A backend plugin extends this class with a constructor that supplies its {@link Backend}.
 *
 * Disposal drains and waits; since Cordis contains a disposer that fails, {@link SessionPersistence.close} is what
 * rejects when something cannot be made durable.
 */
export class SessionPersistence {
  static readonly inject = ['sessions']
  static readonly provide = name
  protected readonly ctx: Context
  private readonly backend: Backend
  private readonly options: PersistenceOptions
  private runtime: Runtime | undefined

  /** @throws INVALID_CONFIG naming the option */
  constructor(ctx: Context, backend: Backend, options?: Partial<PersistenceOptions>) {
    this.ctx = ctx
    this.backend = backend
    this.options = resolveOptions(options)
    // What `Service` does, too: a method's `this.ctx` is the caller's. The name is provided when the storage is open.
    Object.defineProperty(this, Service.tracker, { value: { associate: name, property: 'ctx' } })
  }

  /** What the backend is called and can do. */
  get manifest(): DriverManifest {
    return this.backend.manifest
  }

  /** @internal Who hears of this service's failures: the contexts that would get it as `ctx.sessionPersistence`. */
  [Context.filter](listener: Context): boolean {
    return listener[Context.isolate][name] === this.ctx[Context.isolate][name]
  }

  /** @internal Called by Cordis: opens the storage, adopts the live sessions and follows them. */
  async [Service.init](): Promise<void> {
    const { ctx, manifest, options } = this
    const { sessions } = ctx
    const driver = await this.backend.connect()
    const runtime = new Runtime({
      driver,
      manifest,
      options,
      live: sessions,
      report: (error, session) => dispatchError(ctx, this, error, session),
      log: message => ctx.logger.warn(message),
    })
    this.runtime = runtime
    const self = this
    try {
      // One effect, so that its parts end in order: those who use the service go first, then the storage, then the
      // listeners, so that what is flushed meanwhile is stored and not passed over.
      ctx.effect(function* () {
        yield ctx.on('session/disposed', session => runtime.disposed(session))
        yield ctx.on('session/flush', session => runtime.flush(session))
        yield listen(ctx, 'session/event', session => runtime.touched(session))
        yield ctx.on('session/created', session => runtime.created(session))
        yield () => runtime.dispose()
        yield ctx.provide(name, self) as () => Promise<void>
        yield () => runtime.hurry()
      }, `ctx.${name}`)
    } catch (error) {
      await runtime.dispose()
      throw error
    }
    runtime.adopt()
  }

  /** The sequence number after the last durable event of a live session; 0 for one that this backend does not know. */
  durableSeq(session: Session): number {
    return this.running.engine.writers.of(session)?.durableSeq ?? 0
  }

  /**
   * Exactly the events that were appended to a stored session, those included that this process has yet to store.
   * @throws SESSION_NOT_FOUND, SESSION_CORRUPT with the place, FORMAT_UNSUPPORTED, STORAGE_FAILED
   */
  load(id: SessionId | string): Promise<StoredSession> {
    return this.with(engine => load(engine, sessionId(id)))
  }

  /** As {@link load}, with the closers that {@link resume} would add to an interrupted turn; nothing is written. */
  inspect(id: SessionId | string): Promise<InspectedSession> {
    return this.with(engine => inspect(engine, sessionId(id)))
  }

  /**
   * Brings a stored session back into `ctx.sessions`, its interrupted turn closed. Callers of one id share the session;
   * each holds a reference that ends with the calling plugin or by `release`, and the last one takes the session out.
   * @throws SESSION_NOT_FOUND, SESSION_LOCKED naming the holder, SESSION_CORRUPT, FORMAT_UNSUPPORTED, STORAGE_FAILED
   */
  async resume(id: SessionId | string): Promise<ResumedSession> {
    const owner = this.ctx
    const resumed = await this.running.resumer.resume(sessionId(id))
    try {
      const end = owner.effect(() => resumed.release, `ctx.${name}.resume(${JSON.stringify(id)})`)
      let released: Promise<void> | undefined
      return {
        ...resumed,
        release: () => {
          released ??= Promise.resolve(end())
          return released
        },
      }
    } catch (error) {
      await resumed.release()
      throw error
    }
  }

  /**
   * The events of a stored session from `seq` on.
   * @throws INVALID_BOUNDARY behind the end of the log; and as {@link load}
   */
  readFrom(id: SessionId | string, seq: number, options?: ReadOptions): Promise<EventPage> {
    return this.with(engine => readFrom(engine, sessionId(id), seq, options))
  }

  /**
   * Lists what is stored, and waits for nothing: a live session whose first batch is pending is missing until a flush. A
   * broken session is an entry that says so.
   * @throws INVALID_BOUNDARY, STORAGE_FAILED
   */
  list(query: SessionQuery = {}): Promise<SessionPage> {
    return this.with(engine => list(engine, query))
  }

  /**
   * Forks a stored session up to and including `boundary`, by default all of it, into another stored one.
   * @returns the child's header
   * @throws SESSION_NOT_FOUND, SESSION_ALREADY_EXISTS, INVALID_BOUNDARY; OPEN_TURN when the prefix ends inside a turn
   */
  fork(id: SessionId | string, boundary?: number, childId?: string): Promise<SessionHeader> {
    return this.with(engine => fork(engine, sessionId(id), boundary, childId))
  }

  /**
   * Removes a stored session for good, or with `trashed` every session of that id that is in the trash; forks keep what
   * they inherited.
   * @throws SESSION_NOT_FOUND, SESSION_LOCKED, UNSUPPORTED
   */
  delete(id: SessionId | string, options: RemoveOptions = {}): Promise<void> {
    return this.with(engine => remove(engine, sessionId(id), options))
  }

  /** Removes a stored session for the time being. @throws UNSUPPORTED, SESSION_NOT_FOUND, SESSION_LOCKED */
  trash(id: SessionId | string): Promise<void> {
    return this.with(engine => trash(engine, sessionId(id)))
  }

  /** Takes back a {@link trash}. @throws UNSUPPORTED, SESSION_NOT_FOUND, SESSION_ALREADY_EXISTS, SESSION_LOCKED */
  restore(id: SessionId | string): Promise<void> {
    return this.with(engine => restore(engine, sessionId(id)))
  }

  /** Removes old sessions, and says which. @throws INVALID_BOUNDARY, STORAGE_FAILED */
  prune(options: PruneOptions): Promise<PruneReport> {
    return this.with(engine => prune(engine, options))
  }

  /** Reads a stored session whole and says whether it is intact. @throws SESSION_NOT_FOUND, STORAGE_FAILED */
  verify(id: SessionId | string): Promise<VerifyReport> {
    return this.with(engine => verify(engine, sessionId(id)))
  }

  /**
   * Writes what can be read of a damaged session into a new one, `target`.
   * @throws UNSUPPORTED, SESSION_NOT_FOUND, SESSION_ALREADY_EXISTS, STORAGE_FAILED
   */
  salvage(id: SessionId | string, target: SessionId | string): Promise<SalvageReport> {
    return this.with(engine => salvage(engine, sessionId(id), sessionId(target)))
  }

  /**
   * Searches the texts of all stored sessions.
   * @throws UNSUPPORTED, INVALID_CONFIG for a query that is none, INVALID_BOUNDARY for a limit or a cursor that is none
   */
  search(query: string, options: SearchOptions = {}): Promise<SearchPage> {
    return this.with(engine => {
      requireCapability(engine.manifest, 'search')
      return engine.driver.search(query, options)
    })
  }

  /** Derives the index that {@link search} uses from the stored sessions anew. @throws UNSUPPORTED, STORAGE_FAILED */
  rebuildSearch(): Promise<void> {
    return this.with(engine => {
      requireCapability(engine.manifest, 'search')
      return engine.driver.rebuildSearch()
    })
  }

  /**
   * Follows a stored session from `fromSeq` on, whoever writes it: each durable event once, in order, until `signal`
   * aborts or the backend goes away.
   * @throws INVALID_BOUNDARY, SESSION_NOT_FOUND, SESSION_CORRUPT, STORAGE_FAILED
   */
  watch(id: SessionId | string, fromSeq = 0, signal?: AbortSignal): AsyncIterable<SessionEvent> {
    if (!Number.isSafeInteger(fromSeq) || fromSeq < 0) {
      throw new SessionError('INVALID_BOUNDARY', { expected: 'a seq from 0', found: String(fromSeq), session: id })
    }
    return watch(this.running.engine, sessionId(id), fromSeq, signal)
  }

  /** Where the stored session of this header lies or would lie. @throws UNSUPPORTED */
  locate(header: SessionHeader): string {
    const { engine } = this.running
    requireCapability(engine.manifest, 'rawArtifact')
    return engine.direct.locate!(header)
  }

  /**
   * Makes everything durable, then gives the storage back. When it rejects, the backend goes on, and this can be called
   * again. Takes no longer than `closeTimeoutMs`. After it, events are not stored and a flush of new ones rejects.
   * @throws STORAGE_FAILED naming each session that is not durable, with `details.undurable`
   */
  close(): Promise<void> {
    return this.runtime?.close() ?? Promise.resolve()
  }

  private get running(): Runtime {
    if (this.runtime !== undefined && !this.runtime.isClosed) return this.runtime
    throw closedError()
  }

  private async with<T>(operation: (engine: Engine) => Promise<T>): Promise<T> {
    return operation(this.running.engine)
  }
}
