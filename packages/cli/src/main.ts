import { CommanderError } from 'commander'
import { CliError, type ExitCode } from './error.js'
import { describeFailure } from './failure.js'
import { createProgram } from './program.js'
import { CommandRun } from './run.js'
import type { Io } from './terminal/io.js'
import { Output } from './terminal/output.js'

/** The word with which completion scripts ask; see `shells/complete.ts`. */
const COMPLETE = '__complete'

/**
 * Runs one command line.
 * @param words the command line behind the name of the command
 * @returns the exit code
 */
export async function main(words: readonly string[], io: Io): Promise<number> {
  if (words[0] === COMPLETE) {
    const { answerCompletion } = await import('./shells/complete.js')
    return answerCompletion(words.slice(1), io)
  }
  const out = new Output(io.stdout, { colors: false })
  const errors = new Output(io.stderr, { colors: false })
  let code: ExitCode = 0
  try {
    const page = {
      columns: io.stdout.columns || 80,
      print: (text: string) => out.safe(text),
      printMissing: (text: string) => errors.safe(text),
    }
    const program = await createProgram(words, page, async (command, args, given) => {
      code = await new CommandRun(given, io).run(command, args)
    })
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    code = isHelp(error) ? (error.exitCode === 0 ? 0 : 2) : tell(errors, error, words.includes('--json'))
  }
  await out.drain().catch(() => {})
  await errors.drain().catch(() => {})
  return code
}

/** Whether commander ends the run because it has printed help or the version. */
function isHelp(error: unknown): error is CommanderError {
  return error instanceof CommanderError && /^commander\.(help|helpDisplayed|version)$/.test(error.code)
}

function tell(errors: Output, error: unknown, json: boolean): ExitCode {
  const failure = describeFailure(usageError(error))
  if (json) errors.json(failure.json)
  else errors.line(failure.line)
  return failure.exitCode
}

/** What commander found wrong, as an error of this command. */
function usageError(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error
  const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
  return new CliError('USAGE', message)
}
