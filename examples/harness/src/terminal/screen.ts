import { clearLine, cursorTo } from 'node:readline'
import { styleText } from 'node:util'

/** What a screen writes to: a terminal, or anything else that takes plain text. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

export type Style = Parameters<typeof styleText>[0]

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/**
 * Writes text, whole lines, and a status that moves while there is nothing else to see. Anywhere but on a terminal there
 * are no colours, and nothing moves.
 */
export class Screen {
  readonly output: Output
  readonly isTerminal: boolean
  #isMidLine = false
  #spinner: NodeJS.Timeout | undefined
  /** What is kept back while the person types. */
  #held: string | undefined
  #isPrompted = false

  constructor(output: Output) {
    this.output = output
    this.isTerminal = output.isTTY === true
  }

  /** Characters that fit into a line. */
  get width(): number {
    return this.output.columns ?? 100
  }

  /** The text in a style, where the output shows styles. */
  style(style: Style, text: string): string {
    return this.isTerminal ? styleText(style, text, { stream: this.output as NodeJS.WriteStream }) : text
  }

  write(text: string): void {
    if (text === '') return
    this.status(undefined)
    this.#isMidLine = !text.endsWith('\n')
    this.#put(text)
  }

  /** Writes a line of its own. */
  line(text = ''): void {
    this.endLine()
    this.write(`${text}\n`)
  }

  /** Ends the line, if one has begun. */
  endLine(): void {
    if (this.#isMidLine) this.write('\n')
  }

  /** Shows that something goes on, until something is written. */
  status(text: string | undefined): void {
    if (this.#spinner !== undefined) {
      clearInterval(this.#spinner)
      this.#spinner = undefined
      this.clear()
    }
    if (text === undefined || !this.isTerminal || this.#isMidLine || this.#held !== undefined) return
    let frame = 0
    const draw = () => {
      this.clear()
      this.output.write(this.style('dim', `${frames[frame++ % frames.length]} ${text}`.slice(0, this.width - 1)))
    }
    draw()
    this.#spinner = setInterval(draw, 100)
    this.#spinner.unref()
  }

  /** Clears the line, whoever has written into it. */
  clear(): void {
    if (!this.isTerminal) return
    cursorTo(this.output, 0)
    clearLine(this.output, 0)
  }

  /** The line is a prompt, in whose place comes what is written next; or no longer is. */
  prompted(isPrompted: boolean): void {
    this.#isPrompted = isPrompted
  }

  /** Keeps back what is written from here on. */
  hold(): void {
    this.status(undefined)
    this.#held ??= ''
  }

  /** Writes what was kept back. */
  release(): void {
    const held = this.#held
    this.#held = undefined
    if (held) this.#put(held)
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  #put(text: string): void {
    if (this.#held !== undefined) {
      this.#held += text
      return
    }
    if (this.#isPrompted) this.clear()
    this.#isPrompted = false
    this.output.write(text)
  }
}
