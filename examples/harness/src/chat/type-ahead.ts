import type { Interface } from 'node:readline'
import type { Screen } from '../terminal/screen.ts'

/** Lets a person type while a turn runs: from the first key to the end of the line, the turn's output is kept back. */
export class TypeAhead {
  readonly #lines: Interface
  readonly #screen: Screen
  readonly #isBusy: () => boolean

  constructor(lines: Interface, screen: Screen, isBusy: () => boolean) {
    this.#lines = lines
    this.#screen = screen
    this.#isBusy = isBusy
    // Before the interface echoes the key.
    process.stdin.prependListener('keypress', (text?: string) => this.#key(text))
  }

  /** Asks for a line. */
  prompt(): void {
    if (this.#screen.isHeld) return
    this.#screen.endLine()
    this.#lines.prompt(true)
    this.#screen.prompted(true)
  }

  /** A line was entered. */
  entered(): void {
    this.#screen.prompted(false)
    this.#screen.release()
  }

  #key(text: string | undefined): void {
    if (!this.#isBusy()) return
    if (!this.#screen.isHeld && text !== undefined && text >= ' ' && text !== '\x7f') {
      this.#screen.endLine()
      this.#screen.hold()
      this.#screen.output.write('› ')
    }
    // After the interface has taken the key.
    setImmediate(() => {
      if (this.#screen.isHeld && this.#lines.line === '') {
        this.#screen.output.write('\r')
        this.#screen.release()
      }
    })
  }
}
