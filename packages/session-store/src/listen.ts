import type { Context, Events, Hook } from 'cordis'

/**
 * Listens as `ctx.on` does, for as long as the plugin of `ctx` lives, but without the proxy that `ctx.on` puts around a
 * listener, which costs as much as an append (`bench/store`): for plugins that hear of every event of every session. The
 * listener gets its arguments as they were emitted, not bound to its context.
 * @returns takes the listener back
 */
export function listen<Name extends keyof Events>(ctx: Context, name: Name, listener: Events[Name]): () => void {
  const hooks = ctx.events._hooks
  return ctx.effect(
    () => {
      const entry: Hook = { ctx, callback: listener }
      hooks[name] = [...(hooks[name] ?? []), entry]
      return () => {
        const rest = hooks[name]?.filter(other => other !== entry) ?? []
        if (rest.length > 0) hooks[name] = rest
        else delete hooks[name]
      }
    },
    `ctx.on(${JSON.stringify(name)})`,
  )
}
