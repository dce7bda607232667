import type { OpenFile } from './open-file.js'

/** A lock file that is locked. */
export interface LockedFile {
  /** Locks the log itself too; false when somebody else has it. */
  claim(log: OpenFile): Promise<boolean>
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

/** A way to lock a file exclusively; undefined when somebody else has it locked. */
export type LockFile = (path: string) => Promise<LockedFile | undefined>
