import type { Clock } from '../src/clock.js'

interface Timer {
  readonly at: number
  readonly callback: () => void
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  time = 0
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.time
  }

  wallTime(): number {
    return 1_700_000_000_000 + this.time
  }

  setTimer(callback: () => void, ms: number): () => void {
    const timer = { at: this.time + ms, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  breathe(): Promise<void> {
    return Promise.resolve()
  }

  /** How long the timers have still to run, shortest first. */
  get pending(): number[] {
    return [...this.#timers].map(timer => timer.at - this.time).sort((left, right) => left - right)
  }

  /** Moves on by `ms`, fires what is due, and lets what follows from it happen. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms
    for (;;) {
      const [next] = [...this.#timers].filter(timer => timer.at <= end).sort((left, right) => left.at - right.at)
      if (next === undefined) break
      this.time = Math.max(this.time, next.at)
      this.#timers.delete(next)
      next.callback()
      await quiet()
    }
    this.time = end
    await quiet()
  }
}

/** Lets every promise that is ready, and what follows from it, run. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve))
}
