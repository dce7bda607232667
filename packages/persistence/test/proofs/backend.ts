import type { Driver } from '../../src/driver.js'

/** What the proofs with several processes need of a backend. */
export interface ProofBackend {
  /** A module that exports `connect`, for processes that know only what was built. */
  readonly module: URL
  /** A place for sessions for the running test. */
  newPlace(): string
  /** Opens a driver on a place. */
  connect(place: string): Driver
  /** The file whose lock makes a writer the owner of a session. */
  lockOf(place: string, id: string): string
  /** Whether a writer also holds what it writes to, so that deleting the lock file does not let a second one in. */
  readonly holdsLog: boolean
}
