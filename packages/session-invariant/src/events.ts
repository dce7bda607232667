import type { Session } from '@dsh/session'
import type { SessionInvariant } from './session-invariant.js'

declare module 'cordis' {
  interface Context {
    /** The relations that the events of a session must keep; present while the invariant plugin is mounted. */
    invariants: SessionInvariant
  }

  interface Events {
    /** An event in the log of `session` breaks a rule: appended in `report` mode, or found when the log was first seen. */
    'session/violation'(session: Session, violation: { rule: string; code: string; seq: number; message: string }): void
  }
}
