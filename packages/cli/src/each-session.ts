import type { CommandContext } from './command.js'
import type { ExitCode } from './error.js'

/**
 * Does something with each of several sessions. One that fails is told, and the others have their turn.
 * @returns the exit code of the first failure, or else 0
 */
export async function eachSession(
  context: CommandContext,
  names: readonly string[],
  act: (name: string) => Promise<void>,
): Promise<ExitCode> {
  let code: ExitCode = 0
  for (const name of names) {
    context.signal.throwIfAborted()
    try {
      await act(name)
    } catch (error) {
      const failed = context.fail(error)
      if (code === 0) code = failed
    }
  }
  return code
}
