import type { Session, SessionEvent, SessionId } from '@dsh/session'
import { SessionError } from '@dsh/session'
import type { RecoveryReport } from './driver.js'
import type { Engine } from './engine.js'
import { Lease, leaseOf } from './lease.js'
import { closeInterruptedTurn, type RepairedSession, restoreSession } from './restore.js'

/** A session that {@link Resumer.resume} gave out. */
export interface ResumedSession {
  readonly session: Session
  /** The events that closed a turn which a crash had left open. */
  readonly closers: readonly SessionEvent[]
  /** What opening the stored log found and did. */
  readonly recovery?: RecoveryReport
  /**
   * Gives this reference back, once. The last one flushes the session and takes it out of `ctx.sessions`.
   * @throws as the flush; the session has left nevertheless, and what is not durable is kept and retried
   */
  release(): Promise<void>
}

type Opened = Pick<ResumedSession, 'session' | 'closers' | 'recovery'>

/** Brings stored sessions back to life, each once. */
export class Resumer {
  readonly #engine: Engine
  readonly #opening = new Map<SessionId, Promise<Opened>>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * The live session of this id, restored from the storage and published unless it is live already. A session that was
   * created here is shared, too, but stays its owner's: a release leaves it alone.
   * @throws SESSION_NOT_FOUND, SESSION_LOCKED, SESSION_CORRUPT, FORMAT_UNSUPPORTED, STORAGE_FAILED; what prevents events
   *   that an earlier life of the session left behind from being stored
   */
  async resume(id: SessionId): Promise<ResumedSession> {
    for (;;) {
      const opened = this.#live(id) ?? (await this.#open(id))
      const lease = leaseOf(opened.session)
      if (lease === undefined) return { ...opened, release: () => Promise.resolve() }
      const release = lease.acquire()
      if (release !== undefined) return { ...opened, release }
      await this.#engine.writers.get(id)?.released
    }
  }

  /** A session that can be shared as it is; one that is being entered is waited for. */
  #live(id: SessionId): Opened | undefined {
    if (this.#opening.has(id)) return undefined
    const session = this.#engine.live.get(id)
    if (session === undefined || leaseOf(session)?.isEnded) return undefined
    return { session, closers: [] }
  }

  #open(id: SessionId): Promise<Opened> {
    const known = this.#opening.get(id)
    if (known !== undefined) return known
    const opening = this.#restore(id).finally(() => this.#opening.delete(id))
    this.#opening.set(id, opening)
    return opening
  }

  async #restore(id: SessionId): Promise<Opened> {
    const { driver, clock, writers, live, signal } = this.#engine
    await this.#settleEarlierLife(id)
    const handle = await driver.open(id, 'write')
    let restored: RepairedSession
    try {
      restored = closeInterruptedTurn(await restoreSession(handle, clock, signal))
      signal.throwIfAborted()
    } catch (error) {
      await handle.close().catch(() => {})
      throw error
    }
    const { session, closers } = restored
    const writer = writers.attach(session, handle)
    let lease: Lease | undefined
    try {
      if (closers.length > 0) await writer.flush()
      lease = new Lease(session, live)
      live.announce(session)
    } catch (error) {
      lease?.end()
      await writers.discard(writer)
      throw error
    }
    const { recovery } = handle
    if (recovery !== undefined) this.#engine.recovered(session, recovery)
    return { session, closers, ...(recovery !== undefined && { recovery }) }
  }

  /** The stored log must not come back shorter than the session was when it left. */
  async #settleEarlierLife(id: SessionId): Promise<void> {
    const { writers } = this.#engine
    const writer = writers.get(id)
    if (writer !== undefined) {
      if (!writer.isDurable) await writer.flush()
      if (!writer.isLeaving) throw stillLive(id)
      await writer.released
    }
    writers.refuseLost(id)
  }
}

function stillLive(session: SessionId): SessionError {
  return new SessionError('SESSION_LOCKED', {
    expected: 'a session that nobody writes',
    found: 'a live one that is not in the store',
    session,
  })
}
