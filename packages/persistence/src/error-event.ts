import type { Session, SessionError } from '@dsh/session'
import type { Context } from 'cordis'
import type { SessionPersistence } from './service.js'

/** Logs a failure and tells it to each listener, whatever the others do. Never throws. */
export function dispatchError(
  ctx: Context,
  service: SessionPersistence,
  error: SessionError,
  session: Session | undefined,
): void {
  contain(ctx, () => ctx.logger.error(error))
  contain(ctx, () => {
    for (const listener of ctx.events.dispatch('emit', [service, 'persistence/error', error, session])) {
      contain(ctx, () => listener(error, session))
    }
  })
}

function contain(ctx: Context, call: () => unknown): void {
  const log = (cause: unknown) => {
    try {
      ctx.logger.error(new Error('a listener of persistence/error failed', { cause }))
    } catch {
      // A log exporter that throws must not reach the writers.
    }
  }
  try {
    const result: unknown = call()
    if (result instanceof Promise) result.catch(log)
  } catch (error) {
    log(error)
  }
}
