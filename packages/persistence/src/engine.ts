import type { Session, SessionId } from '@dsh/session'
import type { Changes } from './changes.js'
import type { Clock } from './clock.js'
import type { Driver, DriverManifest, RecoveryReport } from './driver.js'
import type { GatedDriver } from './gated-driver.js'
import type { PersistenceOptions } from './options.js'
import type { Writers } from './writers.js'

/** The live sessions, as `ctx.sessions` keeps them. */
export interface LiveSessions {
  get(id: string): Session | undefined
  list(): Session[]
  enter(session: Session): () => void
  announce(session: Session): void
  flush(session: Session): Promise<void>
}

/** What every operation works with: one backend at work for one store. */
export interface Engine {
  readonly manifest: DriverManifest
  /** For the storage operations. */
  readonly driver: GatedDriver
  /** For what answers at once. */
  readonly direct: Pick<Driver, 'observe' | 'locate' | 'exists'>
  readonly clock: Clock
  readonly options: PersistenceOptions
  readonly live: LiveSessions
  readonly writers: Writers
  readonly changes: Changes
  /** Aborts when the backend goes away. */
  readonly signal: AbortSignal
  /** Opening a session for writing cut or kept bytes that nobody had acknowledged. */
  recovered(session: Session, report: RecoveryReport): void
}

/** Whether a session of this id is live here, or was and has not left the storage yet. */
export function isInUse({ live, writers }: Pick<Engine, 'live' | 'writers'>, id: SessionId): boolean {
  return live.get(id) !== undefined || writers.get(id) !== undefined
}
