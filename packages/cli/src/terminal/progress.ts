import type { OutputStream } from './io.js'
import { fit, paint } from './text.js'

const CLEAR_LINE = '\r\u001b[K'

/** Milliseconds between two looks. */
const INTERVAL = 100

/** One line on a terminal that tells how far long work has come, and is gone when it is done. */
export class Progress {
  readonly #stream: OutputStream | undefined
  readonly #now: () => number
  #shownAt: number
  #isShown = false

  /** @param stream nothing is shown where it is absent or no terminal */
  constructor(stream: OutputStream | undefined, now: () => number) {
    this.#stream = stream?.isTTY ? stream : undefined
    this.#now = now
    this.#shownAt = now()
  }

  /** Tells where the work is; short work is done before anything is shown. */
  update(text: string): void {
    const now = this.#now()
    if (this.#stream === undefined || now - this.#shownAt < INTERVAL) return
    this.#shownAt = now
    this.#isShown = true
    this.#stream.write(CLEAR_LINE + paint(fit(text, (this.#stream.columns || 80) - 1), false))
  }

  /** Takes the line away, before anything else is printed. */
  clear(): void {
    if (this.#isShown) this.#stream?.write(CLEAR_LINE)
    this.#isShown = false
  }
}
