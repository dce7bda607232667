import { createInterface, type Interface } from 'node:readline/promises'
import type { CommandContext } from './command.js'
import { usage } from './parse-value.js'

/** The word of a person that something may be removed for good: given with `--yes`, or asked for each time. */
export class Consent {
  readonly #context: CommandContext
  readonly #yes: boolean
  #questions: Questions | undefined

  /** @throws USAGE where it was not given and nobody can be asked */
  constructor(context: CommandContext, command: string, yes: boolean) {
    const { stdin, stderr } = context.io
    if (!yes && !(stdin.isTTY && stderr.isTTY)) {
      throw usage(`${command} asks before it removes anything, and nobody can answer here; give --yes`)
    }
    this.#context = context
    this.#yes = yes
  }

  /** @param what names what is to be removed; fit to be shown */
  async toRemove(what: string): Promise<boolean> {
    if (this.#yes) return true
    this.#questions ??= new Questions(this.#context)
    const answer = await this.#questions.ask(`Remove ${what} for good? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  }

  close(): void {
    this.#questions?.close()
  }
}

/** Questions whose answers may be there before they are asked. */
class Questions {
  readonly #context: CommandContext
  readonly #lines: Interface
  readonly #answers: AsyncIterator<string>
  #isOver = false

  constructor(context: CommandContext) {
    const { io, signal } = context
    this.#context = context
    this.#lines = createInterface({ input: io.stdin, output: io.stderr, signal })
    this.#lines.once('close', () => {
      this.#isOver = true
    })
    this.#answers = this.#lines[Symbol.asyncIterator]()
  }

  /** The next line; empty once the input has ended, or somebody interrupted. */
  async ask(question: string): Promise<string> {
    const { io, signal } = this.#context
    if (this.#isOver) io.stderr.write(question)
    else {
      this.#lines.setPrompt(question)
      this.#lines.prompt()
    }
    const { done, value } = await this.#answers.next()
    return done || signal.aborted ? '' : value
  }

  close(): void {
    this.#lines.close()
  }
}
