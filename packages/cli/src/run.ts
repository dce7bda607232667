import type { Driver } from '@dsh/persistence/driver'
import { backendNames, usualBackend } from './backends.js'
import type { Command, CommandContext } from './command.js'
import type { ExitCode } from './error.js'
import { describeFailure } from './failure.js'
import type { OptionTable, OptionValues } from './option.js'
import { oneOf, usage } from './parse-value.js'
import type { GlobalValues } from './program.js'
import { resolveRoot } from './root.js'
import { openDriver, openStore, type Store, type StorePlace } from './store.js'
import type { Io, OutputStream } from './terminal/io.js'
import { Output, OutputClosed } from './terminal/output.js'
import { Progress } from './terminal/progress.js'
import { dim, red } from './terminal/text.js'

/** One command at work: its streams, its storage, and how it ends. */
export class CommandRun implements CommandContext {
  readonly io: Io
  readonly out: Output
  readonly json: boolean
  readonly place: StorePlace
  readonly signal: AbortSignal
  readonly #errors: Output
  readonly #given: GlobalValues
  #store: Promise<Store> | undefined
  #driver: Promise<Driver> | undefined
  #progress: Progress | undefined

  /** @throws USAGE */
  constructor(given: GlobalValues, io: Io) {
    this.io = io
    this.json = given.json === true
    this.signal = io.signal
    this.#given = given
    const when = oneOf('--color', ['auto', 'always', 'never'])(text(given.color) ?? 'auto')
    this.out = createOutput(io.stdout, io, when)
    this.#errors = createOutput(io.stderr, io, when)
    const root = resolveRoot(text(given.root), io)
    this.place = { root, backend: oneOf('--backend', backendNames)(text(given.backend) ?? usualBackend(root)) }
  }

  /** Runs the command to its end and tells how that went. Never rejects. */
  async run(command: Command, args: readonly string[]): Promise<ExitCode> {
    try {
      if (this.json && command.json === undefined) throw usage('this command has no --json')
      const code = await command.run(this, args, readOptions(command.options ?? {}, this.#given))
      await this.out.drain()
      await this.#closeStorage()
      return code ?? 0
    } catch (error) {
      await this.out.drain().catch(() => {})
      if (error instanceof OutputClosed) return 0
      // Whoever interrupts needs no word of it.
      return this.signal.aborted ? 130 : this.fail(error)
    } finally {
      this.#progress?.clear()
      await this.#closeStorage().catch(() => {})
      await this.#errors.drain().catch(() => {})
    }
  }

  // Fields and not methods, so that a command can take them out of its context.
  readonly store = (): Promise<Store> => {
    this.#store ??= openStore(this.place)
    return this.#store
  }

  readonly driver = (): Promise<Driver> => {
    this.#driver ??= openDriver(this.place)
    return this.#driver
  }

  readonly note = (note: string): void => {
    if (this.#given.quiet === true) return
    this.#progress?.clear()
    this.#errors.line(dim(note))
  }

  readonly fail = (error: unknown): ExitCode => {
    const failure = describeFailure(error)
    this.#progress?.clear()
    if (this.json) this.#errors.json(failure.json)
    else this.#errors.line(red(failure.line))
    // What fails in the midst of long work is told at once.
    this.#errors.drain().catch(() => {})
    return failure.exitCode
  }

  readonly progress = (): Progress => {
    this.#progress ??= new Progress(this.#given.quiet === true ? undefined : this.io.stderr, this.io.now)
    return this.#progress
  }

  async #closeStorage(): Promise<void> {
    const opened = [this.#store, this.#driver]
    this.#store = undefined
    this.#driver = undefined
    for (const storage of opened) await (await storage?.catch(() => undefined))?.close()
  }
}

function readOptions(table: OptionTable, given: GlobalValues): OptionValues<OptionTable> {
  return Object.fromEntries(Object.entries(table).map(([key, option]) => [key, option.read(given[key])]))
}

function createOutput(stream: OutputStream, { env }: Io, when: 'auto' | 'always' | 'never'): Output {
  const isTerminal = stream.isTTY === true
  // https://no-color.org: any value but the empty one.
  const auto = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  // A terminal that does not say how wide it is says 0.
  const columns = isTerminal ? stream.columns || 80 : undefined
  return new Output(stream, { colors: when === 'always' || (when === 'auto' && auto), columns })
}

function text(given: unknown): string | undefined {
  return typeof given === 'string' ? given : undefined
}
