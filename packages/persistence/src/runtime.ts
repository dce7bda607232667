import type { Session } from '@dsh/session'
import { SessionError } from '@dsh/session'
import { Changes } from './changes.js'
import type { Clock } from './clock.js'
import { systemClock, within } from './clock.js'
import type { Driver, DriverManifest, RecoveryReport } from './driver.js'
import type { Engine, LiveSessions } from './engine.js'
import { GatedDriver } from './gated-driver.js'
import { leaseOf } from './lease.js'
import type { PersistenceOptions } from './options.js'
import { Resumer } from './resume.js'
import { OperationSlots } from './slots.js'
import { closedError, storageError } from './storage-error.js'
import type { StoredLogStart } from './stored-log.js'
import { idTaken, Writers } from './writers.js'

/** What a runtime is made from. */
export interface RuntimeParts {
  readonly driver: Driver
  readonly manifest: DriverManifest
  readonly options: PersistenceOptions
  readonly live: LiveSessions
  readonly clock?: Clock
  /** Tells a failure. Must not throw. */
  report(error: SessionError, session: Session | undefined): void
  /** Tells what was found and needs no action. Must not throw. */
  log(message: string): void
}

/** One backend at work for one store, from the opening of its storage until that is given back. */
export class Runtime {
  readonly engine: Engine
  readonly resumer: Resumer
  readonly #parts: RuntimeParts
  readonly #stop = new AbortController()
  #closing: Promise<void> | undefined
  #isClosed = false
  #isDisposing = false
  readonly #flushes = new Set<Promise<void>>()
  #cancelHurry: (() => void) | undefined

  constructor(parts: RuntimeParts) {
    const { driver, manifest, options, live, clock = systemClock, report, log } = parts
    const gated = new GatedDriver(driver, new OperationSlots())
    const changes = new Changes()
    const advanced = (session: Session) => changes.notify(session.id)
    const recovered = ({ id }: Session, { notes, cutBytes }: RecoveryReport) =>
      log(`session ${JSON.stringify(id)} was recovered: ${[...notes, `${cutBytes} bytes cut`].join('; ')}`)
    const writers = new Writers({ driver: gated, clock, ...options, report, advanced, recovered })
    const { signal } = this.#stop
    this.#parts = parts
    this.engine = { manifest, driver: gated, direct: driver, clock, options, live, writers, changes, signal, recovered }
    this.resumer = new Resumer(this.engine)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Takes over the sessions that were live before the backend came. */
  adopt(): void {
    for (const session of this.engine.live.list()) {
      if (this.engine.writers.of(session) === undefined) this.engine.writers.attach(session, 'unknown')
    }
  }

  /** @throws SESSION_ALREADY_EXISTS where it can be told at once that another session of this id is stored */
  created(session: Session): void {
    const { writers } = this.engine
    if (this.#isClosed || writers.of(session) !== undefined) return
    const earlier = writers.get(session.id)
    if (earlier?.isLeaving && leaseOf(session) !== undefined) writers.succeed(session, earlier)
    else writers.attach(session, this.#startOf(session))
  }

  touched(session: Session): void {
    this.engine.writers.of(session)?.touch()
  }

  /** @throws what keeps the session from being durable */
  async flush(session: Session): Promise<void> {
    // Whoever is disposed of is as if it had never been there; the next backend takes the session over.
    if (this.#isDisposing && this.#isClosed) return
    const flushed = this.#flush(session)
    this.#flushes.add(flushed)
    try {
      await flushed
    } finally {
      this.#flushes.delete(flushed)
    }
  }

  async #flush(session: Session): Promise<void> {
    const writer = this.engine.writers.of(session)
    if (writer !== undefined) return writer.flush()
    if (this.#isClosed) throw closedError(session.id)
    throw new SessionError('SESSION_NOT_LIVE', {
      expected: 'a session that was announced',
      found: 'one that was not',
      session: session.id,
    })
  }

  disposed(session: Session): void {
    this.engine.writers.of(session)?.leave()
  }

  /**
   * Makes durable what was appended before the call and gives the storage back, within `closeTimeoutMs`.
   * @throws STORAGE_FAILED naming what is not durable
   */
  close(): Promise<void> {
    this.#closing ??= this.#drainAndRelease(this.#deadline()).catch(error => {
      this.#closing = undefined
      throw error
    })
    return this.#closing
  }

  /** A disposal begins: from the end of `closeTimeoutMs` on, no plugin has to wait for a flush before it can go. */
  hurry(): void {
    const { writers, clock, options } = this.engine
    this.#cancelHurry ??= clock.setTimer(() => writers.stopWaiting(), options.closeTimeoutMs)
  }

  /** As {@link close}, but gives the storage back in any case: at once, or when what is in flight ends. Never rejects. */
  async dispose(): Promise<void> {
    this.#isDisposing = true
    this.hurry()
    const deadline = this.#deadline()
    await this.close().catch(error => this.#parts.report(storageError(error), undefined))
    if (!this.#isClosed) await within(this.engine.clock, deadline, this.#release())
    this.#cancelHurry?.()
  }

  #deadline(): number {
    return this.engine.clock.now() + this.engine.options.closeTimeoutMs
  }

  async #drainAndRelease(deadline: number): Promise<void> {
    const { writers, clock } = this.engine
    await writers.drain(clock, deadline)
    while (this.#flushes.size > 0 && clock.now() < deadline) {
      await within(clock, deadline, Promise.allSettled(this.#flushes))
    }
    await within(clock, deadline, this.#release())
  }

  async #release(): Promise<void> {
    this.#isClosed = true
    this.#stop.abort(closedError())
    await this.engine.writers.abandonAll()
    await this.engine.driver.close().catch(error => this.#parts.report(storageError(error), undefined))
  }

  /**
   * A session may have been stored before it was announced, by another life of this backend, or of a mirror of it: what
   * is stored then has the same `createdAt`, and is taken up where it ends.
   */
  #startOf(session: Session): StoredLogStart {
    const { direct, manifest } = this.engine
    if (!manifest.capabilities.existence) return 'unknown'
    try {
      if (!direct.exists!(session.id)) return 'new'
    } catch {
      // Out of reach at the moment: the writer looks, tells of the failure and tries again.
      return 'unknown'
    }
    if (session.seq === 0 && leaseOf(session) === undefined) throw idTaken(session.id, 'a stored session')
    return 'unknown'
  }
}
