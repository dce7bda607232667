import type { SessionId } from '@dsh/session'

/** Tells those who follow a session that this process has stored more of it. */
export class Changes {
  readonly #listeners = new Map<SessionId, Set<() => void>>()

  /** @returns ends the listening; idempotent */
  listen(id: SessionId, listener: () => void): () => void {
    const known = this.#listeners.get(id)
    const listeners = known ?? new Set()
    if (known === undefined) this.#listeners.set(id, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id)
    }
  }

  notify(id: SessionId): void {
    for (const listener of this.#listeners.get(id) ?? []) listener()
  }
}
