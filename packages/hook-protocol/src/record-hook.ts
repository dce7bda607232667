import type { Session } from '@dsh/session'
import type { HookInvoked, HookResult } from './events.js'

/** What a hook answered. */
export type HookOutcome = Omit<HookResult, 'turn' | 'point' | 'handlerId' | 'durationMs'>

// Declared here because neither the DOM nor the Node typings are loaded.
declare const performance: { now(): number }

/**
 * Runs a hook between its `hook/invoked` and its `hook/result`, which tells how long it took. A hook that throws is recorded
 * as `failed` with the beginning of its message, and its error is passed on, whether or not that could be recorded.
 * @param hook what is invoked, and in which open turn
 * @throws what `run` throws, and what the session's `append` throws
 */
export async function recordHook<Outcome extends HookOutcome>(
  session: Session,
  hook: HookInvoked,
  run: () => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  session.append('hook/invoked', hook)
  const { turn, point, handlerId } = hook
  const start = performance.now()
  const record = ({ decision, exitCode, stderrSummary }: HookOutcome) =>
    session.append('hook/result', {
      turn,
      point,
      handlerId,
      decision,
      ...(exitCode !== undefined && { exitCode }),
      ...(stderrSummary !== undefined && { stderrSummary }),
      durationMs: performance.now() - start,
    })
  let outcome: Outcome
  try {
    outcome = await run()
  } catch (error) {
    // The hook's error is the one to tell, not that it could not be recorded.
    try {
      record({ decision: 'failed', stderrSummary: summaryOf(error) })
    } catch {}
    throw error
  }
  record(outcome)
  return outcome
}

/** How much of an error's message is recorded, in UTF-16 units. */
const SUMMARY_LENGTH = 500

function summaryOf(error: unknown): string {
  try {
    return String(error).slice(0, SUMMARY_LENGTH)
  } catch {
    return 'an error without a text'
  }
}
