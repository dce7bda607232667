import type { Session } from '@dsh/session'
import { sessionScope } from '@dsh/session-store'
import type { Context } from 'cordis'
import type { RuleViolation } from './log-monitor.js'

/**
 * Logs a violation in the name of the plugin of `ctx`, and emits `session/violation` to the listeners that hear its store.
 * Never throws: what listeners throw or reject with is logged.
 */
export function reportViolation(ctx: Context, session: Session, violation: RuleViolation): void {
  const { rule, code, seq, message } = violation
  const id = JSON.stringify(session.id)
  contained(ctx, () => ctx.logger.warn(`${code} in session ${id}, seq ${seq}: ${message} (rule ${rule})`))
  const told = { rule, code, seq, message }
  contained(ctx, () => {
    const listeners = ctx.events.dispatch('emit', [sessionScope(ctx, ctx), 'session/violation', session, told])
    for (const listener of listeners) contained(ctx, () => listener(session, told))
  })
}

function contained(ctx: Context, run: () => unknown): void {
  try {
    Promise.resolve(run()).then(undefined, error => logFailure(ctx, error))
  } catch (error) {
    logFailure(ctx, error)
  }
}

function logFailure(ctx: Context, cause: unknown): void {
  try {
    ctx.logger.error(new Error('a listener of session/violation failed', { cause }))
  } catch {
    // A log exporter that throws must not reach the append that is being reported.
  }
}
