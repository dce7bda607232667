/** The pauses between retries: the first one, doubling up to the longest. */
export class Backoff {
  readonly #first: number
  readonly #longest: number
  #next: number

  /** In milliseconds. */
  constructor(first = 1_000, longest = 30_000) {
    this.#first = first
    this.#longest = longest
    this.#next = first
  }

  next(): number {
    const pause = this.#next
    this.#next = Math.min(pause * 2, this.#longest)
    return pause
  }

  reset(): void {
    this.#next = this.#first
  }
}
