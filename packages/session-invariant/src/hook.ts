import type { Context, Hook } from 'cordis'

/**
 * Listens as `ctx.on` does, for as long as the plugin of `ctx` lives, but without the proxy that `ctx.on` puts around a
 * listener: on the path of every append it costs more than all rules together (`bench/store`).
 */
export function hook(ctx: Context, name: string, callback: Hook['callback']): void {
  const hooks = ctx.events._hooks
  ctx.effect(
    () => {
      const entry: Hook = { ctx, callback }
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
