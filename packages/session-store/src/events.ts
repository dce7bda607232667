import type { Session, SessionEvent } from '@dsh/session'
import type { SessionStore } from './store.js'

declare module 'cordis' {
  interface Context {
    /** The live sessions of this application, or of this isolate. */
    sessions: SessionStore
  }

  interface Events {
    /** A session is announced. A listener that throws vetoes it: it leaves the store again, and the caller gets the error. */
    'session/created'(session: Session): void
    /** An event was committed. Failures of listeners are logged; none changes the append or keeps it from other listeners. */
    'session/event'(session: Session, event: SessionEvent): void
    /** A durability checkpoint. All listeners run and settle; the flush rejects with the first failure. */
    'session/flush'(session: Session): Promise<void> | void
    /** An announced session left the store, once. Failures of listeners are logged. */
    'session/disposed'(session: Session): void
  }
}
