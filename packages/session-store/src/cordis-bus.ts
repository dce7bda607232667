import { type Context, type EventsService, type Hook, symbols } from 'cordis'
import type { Dispatch, EventBus } from './bus.js'
import { contain } from './dispatch.js'
import type { SessionScope } from './scope.js'

const nobody: readonly Hook[] = []

/**
 * The event system of a Cordis 4 application.
 *
 * Does what `events.dispatch` does, `internal/dispatch` first, but reads the hooks itself: `ctx.events` is a proxy and
 * `dispatch` binds every listener, which together cost more than an append (`bench/store`).
 */
export class CordisBus implements EventBus {
  readonly #ctx: Context
  readonly #events: EventsService

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#events = Reflect.get(ctx.events, symbols.original) ?? ctx.events
  }

  listeners(dispatch: Dispatch): readonly Hook[] | undefined {
    const hooks = this.#events._hooks
    const validators = hooks['internal/dispatch']
    if (validators !== undefined) this.#validate(dispatch, [...validators])
    const registered = hooks[dispatch.name]
    if (registered === undefined) return validators && nobody
    const scope = dispatch.scope as SessionScope
    const listeners: Hook[] = []
    for (const hook of registered) if (hook.global || scope[symbols.filter](hook.ctx)) listeners.push(hook)
    return listeners
  }

  /** Logs in the name of the plugin whose listener failed. */
  report(error: unknown, { name, session, event }: Dispatch, listener?: Hook): void {
    const seq = event === undefined ? '' : `, seq ${event.seq}`
    const what = listener === undefined ? `the dispatch of ${name} failed` : `a listener failed on ${name}`
    const failure = new Error(`${what} (session ${JSON.stringify(session.id)}${seq})`, { cause: error })
    try {
      const { ctx } = listener ?? { ctx: this.#ctx }
      ctx.logger.error(failure)
    } catch {
      // A log exporter that throws must not reach the listeners, or the append, either.
    }
  }

  #validate(dispatch: Dispatch, validators: readonly Hook[]): void {
    const { name, scope, session, event } = dispatch
    const mode = name === 'session/flush' ? 'parallel' : 'emit'
    const args = event === undefined ? [session] : [session, event]
    for (const validator of validators) {
      const { callback } = validator
      contain(this, dispatch, validator, callback(mode, name, args, scope))
    }
  }
}
