import { Context } from 'cordis'

/** Whom the dispatches of one session reach. Listeners of `internal/dispatch` get it as `thisArg`. */
export interface SessionScope {
  /** Whether listeners of this context hear the session; those registered with `{ global: true }` hear it anyway. */
  [Context.filter](listener: Context): boolean
}

type Isolate = Context[typeof Context.isolate]

// A context keeps its isolate object, whose content a loader may change. To reach it through the context costs a proxy.
const isolates = new WeakMap<Context, Isolate>()

/**
 * The listeners of a session: those in the same isolate of `sessions` as its store, and of them those that the filter of
 * the owner's context accepts, where it has one.
 */
export function sessionScope(store: Context, owner: Context): SessionScope {
  const accepts = Reflect.get(owner, Context.filter) as ((listener: Context) => boolean) | undefined
  const isolate = isolateOf(store)
  return {
    [Context.filter]: listener =>
      isolateOf(listener).sessions === isolate.sessions && (accepts === undefined || accepts.call(owner, listener)),
  }
}

function isolateOf(ctx: Context): Isolate {
  let isolate = isolates.get(ctx)
  if (isolate === undefined) {
    isolate = ctx[Context.isolate]
    isolates.set(ctx, isolate)
  }
  return isolate
}
