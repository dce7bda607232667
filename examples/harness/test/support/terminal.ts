import { stripVTControlCharacters } from 'node:util'
import type { IPty } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'

/** Absent where the platform has no build of it. */
export const pty = await import('@lydell/node-pty').catch(() => undefined)

/** Milliseconds without any output after which a test has waited in vain. */
const DEADLINE_MS = 10_000

/** A program in a pseudo-terminal. */
export class Terminal {
  readonly exit: Promise<number>
  readonly #pty: IPty
  #output = ''
  #seen = 0
  #waiting: (() => void)[] = []

  constructor(file: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
    const given = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env }
    this.#pty = pty!.spawn(process.execPath, [file, ...args], { cwd, cols: 120, rows: 40, env: given })
    this.#pty.onData(data => {
      this.#output += data
      for (const wake of this.#waiting.splice(0)) wake()
    })
    const { promise, resolve } = Promise.withResolvers<number>()
    this.exit = promise
    let hasExited = false
    this.#pty.onExit(({ exitCode }) => {
      hasExited = true
      resolve(exitCode)
    })
    onTestFinished(() => {
      if (!hasExited) this.kill()
    })
  }

  get pid(): number {
    return this.#pty.pid
  }

  /** All that was shown, without control sequences. */
  get text(): string {
    return stripVTControlCharacters(this.#output)
  }

  /** What was shown, as it was sent. */
  get raw(): string {
    return this.#output
  }

  type(keys: string): void {
    this.#pty.write(keys)
  }

  enter(line: string): void {
    this.type(`${line}\r`)
  }

  /** Resolves when a text has been shown behind the last one that was waited for. */
  async shows(text: string): Promise<void> {
    for (;;) {
      const at = this.text.indexOf(text, this.#seen)
      if (at >= 0) {
        this.#seen = at + text.length
        return
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      this.#waiting.push(resolve)
      const deadline = setTimeout(
        () => reject(new Error(`${JSON.stringify(text)} was not shown after\n${this.text}`)),
        DEADLINE_MS,
      )
      await promise.finally(() => clearTimeout(deadline))
    }
  }

  kill(): void {
    this.#pty.kill('SIGKILL')
  }
}
