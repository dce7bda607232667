/**
 * A number of places for storage operations, so that a burst of sessions does not occupy the thread pool. Places are
 * given to the keys that wait in turn, so that no session waits for another's queue.
 */
export class OperationSlots {
  #free: number
  /** Who waits, by key, the key whose turn it is first. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(slots = 2) {
    this.#free = slots
  }

  /** Runs `operation` when a place is free; at once where one is. */
  async run<T>(key: string, operation: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await this.#wait(key)
    try {
      return await operation()
    } finally {
      this.#handOver()
    }
  }

  #wait(key: string): Promise<void> {
    return new Promise(resolve => {
      const queue = this.#waiting.get(key)
      if (queue === undefined) this.#waiting.set(key, [resolve])
      else queue.push(resolve)
    })
  }

  #handOver(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    const [key, queue] = next
    const start = queue.shift()!
    this.#waiting.delete(key)
    if (queue.length > 0) this.#waiting.set(key, queue)
    start()
  }
}
