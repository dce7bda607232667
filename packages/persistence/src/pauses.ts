import type { Clock } from './clock.js'

/** Milliseconds after which long work lets others run. */
const LONGEST_BLOCK = 8
/** Breaks long work into slices, so that nothing else in the process waits for all of it. */
export class Pauses {
  readonly #clock: Clock
  readonly #stride: number
  #since: number
  #calls = 0

  /** @param stride calls between two looks at the clock */
  constructor(clock: Clock, stride = 64) {
    this.#clock = clock
    this.#stride = stride
    this.#since = clock.now()
  }

  /** Whether it is time for a pause. Cheap enough for every step. */
  isDue(): boolean {
    return ++this.#calls % this.#stride === 0 && this.#clock.now() - this.#since > LONGEST_BLOCK
  }

  async take(): Promise<void> {
    await this.#clock.breathe()
    this.#since = this.#clock.now()
  }
}
