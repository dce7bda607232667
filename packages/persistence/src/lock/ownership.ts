/** An open file whose descriptor can be used. */
export interface LockableFile {
  use<T>(operation: (fd: number) => Promise<T>): Promise<T>
}

/** Exclusive ownership of one session, held by the operating system until it is released or the process dies. */
export interface Ownership {
  /**
   * Extends the ownership to the stored session itself until that file is closed, where the system can: whoever deletes
   * the lock file then does not free the session.
   * @throws SESSION_LOCKED
   */
  claim(file: LockableFile): Promise<void>
  /** Whether the lock file is still the one that was locked, where {@link claim} does not answer for that. */
  isHeld(): Promise<boolean>
  /** Idempotent. */
  release(): Promise<void>
}

/** Gives out ownership of sessions. */
export interface Locker {
  /** Loads what the first acquisition would have to wait for; for times when nobody waits. */
  prepare?(): void
  /**
   * Takes the lock file at `path`, whose directory exists.
   * @throws SESSION_LOCKED naming the holder, STORAGE_FAILED
   */
  acquire(path: string, session: string): Promise<Ownership>
}
