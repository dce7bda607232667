import type { Driver } from '@dsh/persistence/driver'
import type { ExitCode } from './error.js'
import type { Completion, OptionTable, OptionValues } from './option.js'
import type { Store, StorePlace } from './store.js'
import type { Io } from './terminal/io.js'
import type { Output } from './terminal/output.js'
import type { Progress } from './terminal/progress.js'

/** What a command runs in. */
export interface CommandContext {
  readonly io: Io
  /** Results. */
  readonly out: Output
  /** Whether results are to be JSON. */
  readonly json: boolean
  /** Where the sessions are. */
  readonly place: StorePlace
  /** Aborts when the person interrupts. */
  readonly signal: AbortSignal
  /** Opens the storage, once; it is closed when the command ends. @throws ROOT_NOT_FOUND, STORAGE_FAILED */
  store(): Promise<Store>
  /** Opens the storage beneath its service, once, to store records as they are. The root is created if need be. */
  driver(): Promise<Driver>
  /** Tells the person something that is no result. */
  note(text: string): void
  /** Tells a failure that does not end the command, and gives the exit code that it stands for. */
  fail(error: unknown): ExitCode
  progress(): Progress
}

/** A word that a command takes. */
export interface Argument {
  /** As it is shown: `id`, without brackets. */
  readonly name: string
  readonly about: string
  /** Default `one`. */
  readonly takes?: 'one' | 'optional' | 'some' | 'any'
  readonly completes?: Completion
  /** What it completes to instead where an option is given, by the key of that. */
  readonly completesWith?: Readonly<Record<string, Completion>>
}

/** A command line that works, and what it does. */
export interface Example {
  readonly command: string
  readonly about: string
}

/** A command of `dsh-session`. */
export interface Command<Options extends OptionTable = OptionTable> {
  /** What it does, in some sentences. */
  readonly about: string
  /** What `--json` prints. Absent: the command refuses it. */
  readonly json?: string
  readonly args?: readonly Argument[]
  readonly options?: Options
  readonly examples: readonly Example[]
  /** @returns the exit code, 0 where nothing is returned */
  run(context: CommandContext, args: readonly string[], options: OptionValues<Options>): Promise<ExitCode | undefined>
}

/** Gives a command's `run` the types of its options. */
export function defineCommand<Options extends OptionTable>(command: Command<Options>): Command {
  return command as unknown as Command
}
