/** Where the engine takes time from; a test brings its own. */
export interface Clock {
  /** Milliseconds on a scale that never steps back, for durations. */
  now(): number
  /** Unix epoch milliseconds, for `createdAt`. */
  wallTime(): number
  /** Calls `callback` once after `ms`; the result takes the call back. The process stays alive until then. */
  setTimer(callback: () => void, ms: number): () => void
  /** Lets everything else that waits in this process run first. */
  breathe(): Promise<void>
}

/** The longest time that a timer can wait. */
const LONGEST_TIMER = 2 ** 31 - 1

/** The clock of the process. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER))
    return () => clearTimeout(timer)
  },
  breathe: () => new Promise(resolve => setImmediate(resolve)),
}

/** Waits for `work`, but not beyond `deadline`, a time of `clock.now()`; it goes on unattended then. */
export async function within(clock: Clock, deadline: number, work: Promise<unknown>): Promise<void> {
  let cancel = () => {}
  const timeout = new Promise<void>(resolve => {
    cancel = clock.setTimer(resolve, Math.max(0, deadline - clock.now()))
  })
  try {
    await Promise.race([work, timeout])
  } finally {
    cancel()
  }
}
