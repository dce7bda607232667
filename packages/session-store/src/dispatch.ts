import type { Dispatch, EventBus, Listener } from './bus.js'

/** Calls every listener in order. What one throws, or rejects with later, is reported and reaches no other. */
export function notify(bus: EventBus, dispatch: Dispatch, listeners: readonly Listener[]): void {
  for (const listener of listeners) {
    try {
      const result = call(listener, dispatch)
      if (result !== undefined) contain(bus, dispatch, listener, result)
    } catch (error) {
      bus.report(error, dispatch, listener)
    }
  }
}

/** Calls the listeners in order until one throws, which is passed on. A later rejection is reported. */
export function consult(bus: EventBus, dispatch: Dispatch, listeners: readonly Listener[]): void {
  for (const listener of listeners) contain(bus, dispatch, listener, call(listener, dispatch))
}

/** A listener, and what it threw or rejected with. */
export interface Failure {
  readonly error: unknown
  readonly listener: Listener
}

/** Calls every listener before it returns; resolves when all have settled, with the failures in the listeners' order. */
export async function settle(dispatch: Dispatch, listeners: readonly Listener[]): Promise<Failure[]> {
  const results = await Promise.allSettled(listeners.map(async listener => call(listener, dispatch)))
  return results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ error: result.reason, listener: listeners[index]! }] : [],
  )
}

// A plain call: the cheapest way through the proxies that Cordis makes of listeners (`bench/store`).
function call({ callback }: Listener, { session, event }: Dispatch): unknown {
  return event === undefined ? callback(session) : callback(session, event)
}

/** Catches what a promise rejects with. Nothing is attached to any other value: a burst of events must retain nothing. */
export function contain(bus: EventBus, dispatch: Dispatch, listener: Listener, result: unknown): void {
  if (result === null || (typeof result !== 'object' && typeof result !== 'function')) return
  try {
    if (typeof (result as PromiseLike<unknown>).then !== 'function') return
    Promise.resolve(result).then(undefined, error => bus.report(error, dispatch, listener))
  } catch (error) {
    bus.report(error, dispatch, listener)
  }
}
