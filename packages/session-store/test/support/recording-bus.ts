import type { Dispatch, EventBus, Listener, SessionEventName } from '../../src/bus.js'

/** An event system of a few lines, for the modules below the service. */
export class RecordingBus implements EventBus {
  readonly reports: { error: unknown; name: SessionEventName; listener: Listener | undefined }[] = []
  validate: ((dispatch: Dispatch) => void) | undefined
  readonly #hooks: { name: SessionEventName; listener: Listener }[] = []

  on(name: SessionEventName, callback: Listener['callback']): Listener {
    const listener = { callback }
    this.#hooks.push({ name, listener })
    return listener
  }

  listeners(dispatch: Dispatch): Listener[] | undefined {
    this.validate?.(dispatch)
    const listeners = this.#hooks.filter(hook => hook.name === dispatch.name).map(hook => hook.listener)
    return listeners.length > 0 || this.validate !== undefined ? listeners : undefined
  }

  report(error: unknown, dispatch: Dispatch, listener?: Listener): void {
    this.reports.push({ error, name: dispatch.name, listener })
  }
}
