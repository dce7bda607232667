import type { CommandContext } from './command.js'
import type { ExitCode } from './error.js'
import { OutputClosed } from './terminal/output.js'

/**
 * Does something with each of several sessions. One that fails is told, and the others have their turn.
 * @returns the exit code of the first failure, or else 0
 */
export async function eachSession<T>(
  context: CommandContext,
  sessions: readonly T[],
  act: (session: T, index: number) => Promise<void>,
): Promise<ExitCode> {
  let code: ExitCode = 0
  for (const [index, session] of sessions.entries()) {
    context.signal.throwIfAborted()
    try {
      await act(session, index)
    } catch (error) {
      if (error instanceof OutputClosed || context.signal.aborted) throw error
      const failed = context.fail(error)
      if (code === 0) code = failed
    }
    await context.out.drain()
  }
  return code
}
