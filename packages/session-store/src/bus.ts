import type { Session, SessionEvent } from '@dsh/session'

/** The events of a store. */
export type SessionEventName = 'session/created' | 'session/event' | 'session/flush' | 'session/disposed'

/** One dispatch of one of them. */
export interface Dispatch {
  readonly name: SessionEventName
  /** Decides who the listeners are. */
  readonly scope: object
  readonly session: Session
  /** The event of `session/event`. */
  readonly event: SessionEvent | undefined
}

/** One listener, as its bus keeps it. */
export interface Listener {
  readonly callback: (session: Session, event?: SessionEvent) => unknown
}

/** What a store needs of its host's event system: the one place where a host other than Cordis 4 plugs in. */
export interface EventBus {
  /**
   * The listeners of a dispatch, in order, as they are at this moment; undefined when nobody at all has to know of it.
   * Throws what a validator of dispatches throws; no listener has been called then.
   */
  listeners(dispatch: Dispatch): readonly Listener[] | undefined
  /** Logs a failure that must reach nobody else: of a listener, or of the dispatch as a whole. Never throws. */
  report(error: unknown, dispatch: Dispatch, listener?: Listener): void
}
