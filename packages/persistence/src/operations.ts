import { SessionError } from '@dsh/session'

/** The operations that a driver has under way, whose end its closing waits for. */
export class Operations {
  readonly #place: { readonly file?: string }
  readonly #running = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  /** @param place where the driver stores, for errors */
  constructor(place: { readonly file?: string } = {}) {
    this.#place = place
  }

  /** @throws STORAGE_FAILED once the driver closes; as `operation` */
  async run<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) {
      throw new SessionError('STORAGE_FAILED', {
        expected: 'an open driver',
        found: 'one that was closed',
        ...this.#place,
        details: { indeterminate: false },
      })
    }
    const running = operation()
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /** Lets nothing else begin, waits for what is under way, then calls `release`, once. */
  close(release: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#running).then(release)
    return this.#closing
  }
}
