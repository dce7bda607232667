import type { Session } from '@dsh/session'
import type { Batch } from './batch.js'
import { encodeBatch } from './batch.js'
import type { Clock } from './clock.js'
import { countStored, requirePrefix } from './compare.js'
import type { Driver, DriverHandle, RecoveryReport } from './driver.js'
import { isIndeterminate, isRetriable, storageError } from './storage-error.js'

/** What a stored log works with. */
export interface StoredLogContext {
  readonly driver: Pick<Driver, 'create' | 'open'>
  readonly clock: Clock
  readonly packChunks: boolean
  /** More of the log is durable. */
  advanced(session: Session): void
  /** Taking the session over cut or kept bytes that nobody had acknowledged. */
  recovered(session: Session, report: RecoveryReport): void
}

/**
 * Where the stored session stands: `new` has none, `unknown` has to be looked for and compared, after a promise where
 * there is one; a handle owns it.
 */
export type StoredLogStart = 'new' | 'unknown' | Promise<void> | DriverHandle

/** The stored side of one live session. Its steps are taken one at a time; a step that failed is taken again. */
export class StoredLog {
  readonly session: Session
  readonly #context: StoredLogContext
  #handle: DriverHandle | undefined
  #unknown: boolean
  /** An earlier life of the session that still holds it. */
  readonly #earlier: Promise<void> | undefined
  #stored = false
  #durable = 0
  #batch: Batch | undefined
  /** Whether `batch` may have been stored although its write failed. */
  #uncertain = false
  #lastSync = 0

  constructor(session: Session, start: StoredLogStart, context: StoredLogContext) {
    this.session = session
    this.#context = context
    this.#unknown = start === 'unknown' || start instanceof Promise
    if (start instanceof Promise) this.#earlier = start
    else if (typeof start === 'object') {
      this.#handle = start
      this.#stored = true
      this.#durable = start.nextSeq
    }
  }

  /** The sequence number after the last event that is known to be durable. */
  get durableSeq(): number {
    return this.#durable
  }

  /** Whether a live session was not yet compared with what may be stored of it. */
  get isUnknown(): boolean {
    return this.#unknown
  }

  /** Whether the session itself is known to be stored, with or without events. */
  get isStored(): boolean {
    return this.#stored
  }

  /** Whether the stored session is ours at present. */
  get isHeld(): boolean {
    return this.#handle !== undefined
  }

  /** Milliseconds that the last write took. */
  get lastSync(): number {
    return this.#lastSync
  }

  /** The next operation on the way to a durable log of `length` events. */
  async step(length: number): Promise<void> {
    if (this.#unknown) return this.#look()
    if (this.#uncertain) return this.#readBack()
    this.#batch ??= await this.#take(length)
    const started = this.#context.clock.now()
    try {
      await this.#write(this.#batch)
    } catch (error) {
      return this.#judge(error)
    }
    this.#lastSync = this.#context.clock.now() - started
    this.#acknowledge(this.#batch.to)
  }

  /** Gives the stored session up; no step may be under way. */
  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close()
  }

  #take(length: number): Promise<Batch> {
    const { clock, packChunks } = this.#context
    // A stored log is never shorter than what its header says it inherited.
    const atLeast = this.#stored ? this.#durable : (this.session.header.seedLength ?? 0)
    return encodeBatch(this.session, this.#durable, length, clock, { packChunks, atLeast })
  }

  async #write({ from, records }: Batch): Promise<void> {
    if (this.#handle !== undefined) return this.#handle.append(from, records)
    this.#handle = await this.#context.driver.create(this.session.header, records)
    this.#stored = true
  }

  /** Where a failed write may have been stored all the same, finds that out before the failure is passed on. */
  async #judge(cause: unknown): Promise<void> {
    const error = storageError(cause, this.session.id)
    // A mirror of this backend, or its earlier life, can have stored the very same session meanwhile.
    const isTaken = error.code === (this.#stored ? 'SEQ_CONFLICT' : 'SESSION_ALREADY_EXISTS')
    if (!isIndeterminate(error) && !isTaken) throw error
    if (this.#stored) this.#uncertain = true
    else this.#unknown = true
    const before = this.#durable
    try {
      await (this.#stored ? this.#readBack() : this.#look())
    } catch (cause) {
      const later = storageError(cause, this.session.id)
      throw isRetriable(error) && isRetriable(later) ? error : later
    }
    if (!this.#stored || (this.#durable === before && this.#batch !== undefined)) throw error
  }

  async #readBack(): Promise<void> {
    const { to, records } = this.#batch!
    const count = await countStored(this.#handle!, records)
    this.#uncertain = false
    const rest = records.slice(count)
    if (rest.length === 0) return this.#acknowledge(to)
    if (count === 0) return
    this.#acknowledge(rest[0]!.seq)
    this.#batch = { from: rest[0]!.seq, to, records: rest }
  }

  async #look(): Promise<void> {
    await this.#earlier
    const handle = await this.#open()
    if (handle !== undefined) {
      try {
        await requirePrefix(handle, this.session)
      } catch (error) {
        await handle.close().catch(() => {})
        throw error
      }
      this.#handle = handle
      this.#stored = true
      if (handle.recovery !== undefined) this.#context.recovered(this.session, handle.recovery)
    }
    this.#unknown = false
    this.#acknowledge(handle?.nextSeq ?? 0)
  }

  async #open(): Promise<DriverHandle | undefined> {
    try {
      return await this.#context.driver.open(this.session.id, 'write')
    } catch (error) {
      if (storageError(error).code === 'SESSION_NOT_FOUND') return undefined
      throw error
    }
  }

  #acknowledge(seq: number): void {
    this.#batch = undefined
    this.#durable = seq
    this.#context.advanced(this.session)
  }
}
