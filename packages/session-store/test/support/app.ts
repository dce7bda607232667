import { Context, type Fiber, type Message } from 'cordis'
import SessionStore from '../../src/index.js'

/** A plugin of a test, with what it needs to act. */
export interface Plugin {
  readonly ctx: Context
  readonly fiber: Fiber
}

/** An application with a session store. */
export async function startApp(): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  return ctx
}

/** Loads a plugin that uses the store and does nothing by itself. */
export async function plug(parent: Context, name = 'plugin'): Promise<Plugin> {
  let own: Context | undefined
  const fiber = await parent.plugin({
    name,
    inject: ['sessions'],
    apply(ctx: Context) {
      own = ctx
    },
  })
  return { ctx: own!, fiber }
}

/** The errors that were logged so far: name of the logger, and message. */
export function logged(ctx: Context): string[] {
  return ctx.logger.buffer
    .filter((message: Message) => message.type === 'error')
    .map(
      (message: Message) =>
        `${message.name}: ${message.args[0] instanceof Error ? message.args[0].message : message.args[0]}`,
    )
}

/** Lets every promise that is already settled run its reactions. */
export function settled(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
