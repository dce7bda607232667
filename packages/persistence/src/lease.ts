import type { Session } from '@dsh/session'
import type { LiveSessions } from './engine.js'

/** By session and not by backend: a session outlives the backend that resumed it, and so do the references to it. */
const leases = new WeakMap<Session, Lease>()

/** The lease of a session that was resumed. */
export function leaseOf(session: Session): Lease | undefined {
  return leases.get(session)
}

/** A resumed session in its store, kept there by references; the last one that goes takes it out. */
export class Lease {
  readonly session: Session
  readonly #live: LiveSessions
  readonly #detach: () => void
  #references = 0
  #ended = false
  #ending: Promise<void> | undefined

  /** Enters the session into the store, unannounced. @throws SESSION_ALREADY_EXISTS when its id is live */
  constructor(session: Session, live: LiveSessions) {
    this.session = session
    this.#live = live
    this.#detach = live.enter(session)
    leases.set(session, this)
  }

  /**
   * Takes a reference.
   * @returns gives it back; the last one flushes the session first and rejects as that flush does, but the session leaves
   *   in any case. Undefined when the session has left already.
   */
  acquire(): (() => Promise<void>) | undefined {
    if (this.#ended) return undefined
    this.#references++
    let released: Promise<void> | undefined
    return () => {
      released ??= this.#release()
      return released
    }
  }

  /** Whether the session has left. */
  get isEnded(): boolean {
    return this.#ended
  }

  /** Takes the session out of the store, whoever refers to it. */
  end(): void {
    this.#ended = true
    this.#detach()
  }

  #release(): Promise<void> {
    this.#references--
    if (this.#references > 0 || this.#ended) return Promise.resolve()
    this.#ending ??= this.#endUnlessTaken().finally(() => {
      this.#ending = undefined
    })
    return this.#ending
  }

  async #endUnlessTaken(): Promise<void> {
    // The session may have been taken out by its store.
    const isLive = this.#live.get(this.session.id) === this.session
    try {
      if (isLive) await this.#live.flush(this.session)
    } finally {
      if (this.#references === 0) this.end()
    }
  }
}
