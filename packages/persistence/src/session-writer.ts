import type { Session, SessionError } from '@dsh/session'
import { Backoff } from './backoff.js'
import { closedError, isRetriable, storageError } from './storage-error.js'
import type { StoredLogContext, StoredLogStart } from './stored-log.js'
import { StoredLog } from './stored-log.js'

/** What a writer works with. */
export interface WriterContext extends StoredLogContext {
  /** Milliseconds for which the first pending event waits for others. */
  readonly writeDelayMs: number
  /** A write failed, or the stored log contradicts the live one. */
  report(error: SessionError, session: Session): void
  /** The writer has given its storage back, at once where it held none. */
  released(writer: SessionWriter): void
}

interface FlushRequest {
  readonly upTo: number
  resolve(): void
  reject(error: SessionError): void
}

/** A pause before a write is this many times as long as the last write took. */
const SYNC_SHARE = 10

/** Decides when the events of one session go to the storage, and tells those who wait for it. */
export class SessionWriter {
  readonly session: Session
  /** Resolves when the session has left and its storage was released. Never rejects. */
  readonly released: Promise<void>
  readonly #context: WriterContext
  readonly #log: StoredLog
  readonly #backoff = new Backoff()
  /** The length of the log when the session left; what comes later is not this writer's. */
  #end: number | undefined
  #running = false
  /** Up to where the current run writes, and whether it stores a session even if it has no events. */
  #goal = 0
  #isPresenceWanted = false
  #cancelTimer: (() => void) | undefined
  #isWindowOpen = false
  #error: SessionError | undefined
  #isClosed = false
  #isHurried = false
  #requests: FlushRequest[] = []
  #resolveReleased!: () => void

  constructor(session: Session, start: StoredLogStart, context: WriterContext) {
    this.session = session
    this.#context = context
    const advanced = () => {
      this.#answerReached()
      context.advanced(session)
    }
    this.#log = new StoredLog(session, start, { ...context, advanced })
    this.released = new Promise(resolve => {
      this.#resolveReleased = resolve
    })
    if (this.#log.isUnknown) this.#run()
    else this.touch()
  }

  /** The sequence number after the last event that is known to be durable. */
  get durableSeq(): number {
    return this.#log.durableSeq
  }

  /** The length of the log as far as it concerns this writer. */
  get length(): number {
    return this.#end ?? this.session.seq
  }

  /** Whether every event is durable. */
  get isDurable(): boolean {
    return this.isDurableTo(this.length)
  }

  /** Whether every event below `seq` is durable. */
  isDurableTo(seq: number): boolean {
    return this.#log.durableSeq >= seq && !this.#log.isUnknown
  }

  /** The failure that nothing has made good yet. */
  get error(): SessionError | undefined {
    return this.#error
  }

  /** Whether no retry can help. */
  get isBlocked(): boolean {
    return this.#error !== undefined && !isRetriable(this.#error)
  }

  /** Whether the session has left. */
  get isLeaving(): boolean {
    return this.#end !== undefined
  }

  /** The log grew: the first event that waits opens a window, later ones join it. */
  touch(): void {
    if (this.#running || this.#isWindowOpen || this.#isClosed || this.isBlocked || this.isDurable) return
    this.#stopTimer()
    this.#isWindowOpen = true
    const delay = Math.max(this.#context.writeDelayMs, this.#log.lastSync * SYNC_SHARE)
    this.#cancelTimer = this.#context.clock.setTimer(() => this.#run(), delay)
  }

  /**
   * Resolves when every event below the length at the call is durable, and the session stored even if it has none.
   * @throws what keeps them from it
   */
  flush(): Promise<void> {
    const upTo = this.length
    if (this.isBlocked) return Promise.reject(this.#error)
    if (this.isDurableTo(upTo) && this.#log.isStored) return Promise.resolve()
    if (this.#isClosed || this.#isHurried) return Promise.reject(closedError(this.session.id))
    return new Promise((resolve, reject) => {
      this.#requests.push({ upTo, resolve, reject })
      this.#isPresenceWanted = true
      this.#run()
    })
  }

  /** No more events will come. What is not durable is written still, then the storage is released. */
  leave(): void {
    if (this.#end !== undefined) return
    this.#end = this.session.seq
    if (this.isBlocked || this.isDurable) this.#releaseWhenIdle()
    else this.#run()
  }

  /** Writes on, but lets no flush wait for it. */
  stopWaiting(): void {
    this.#isHurried = true
    for (const request of this.#requests.splice(0)) request.reject(closedError(this.session.id))
  }

  /** Gives up what is not durable and releases the storage as soon as no operation is in flight. */
  abandon(): void {
    this.#isClosed = true
    this.#releaseWhenIdle()
  }

  #run(): void {
    this.#goal = this.length
    if (this.#running) return
    this.#stopTimer()
    this.#running = true
    void this.#work()
  }

  async #work(): Promise<void> {
    try {
      while (!this.#isClosed && !(this.isDurableTo(this.#goal) && this.#isPresent())) await this.#log.step(this.length)
      this.#ended(undefined)
    } catch (error) {
      this.#ended(storageError(error, this.session.id))
    }
  }

  #ended(error: SessionError | undefined): void {
    const isNews = error !== undefined && error.message !== this.#error?.message
    this.#running = false
    this.#isPresenceWanted = false
    this.#error = error
    for (const request of this.#requests.splice(0)) request.reject(error ?? closedError(this.session.id))
    if (error === undefined) this.#backoff.reset()
    if (this.#isClosed || (this.isLeaving && (error === undefined || this.isBlocked))) this.#releaseWhenIdle()
    else if (error === undefined) this.touch()
    else if (!this.isBlocked) {
      this.#cancelTimer = this.#context.clock.setTimer(() => this.#run(), this.#backoff.next())
    }
    if (isNews) this.#context.report(error, this.session)
  }

  #answerReached(): void {
    this.#requests = this.#requests.filter(request => {
      const isWaiting = !this.isDurableTo(request.upTo) || !this.#log.isStored
      if (!isWaiting) request.resolve()
      return isWaiting
    })
  }

  #isPresent(): boolean {
    return this.#log.isStored || !this.#isPresenceWanted
  }

  #stopTimer(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#isWindowOpen = false
  }

  async #release(): Promise<void> {
    await this.#log.close().catch(error => this.#context.report(storageError(error, this.session.id), this.session))
    this.#wasReleased()
  }

  #wasReleased(): void {
    this.#resolveReleased()
    this.#context.released(this)
  }

  #releaseWhenIdle(): void {
    this.#stopTimer()
    if (this.#running) return
    this.#isClosed = true
    if (this.#log.isHeld) void this.#release()
    else this.#wasReleased()
  }
}
