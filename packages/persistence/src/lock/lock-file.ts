import type { LockableFile } from './ownership.js'

/** A lock file that is locked. */
export interface LockedFile {
  /** Locks another file too; false when somebody else has it. */
  claim(file: LockableFile): Promise<boolean>
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

/** A way to lock a file exclusively; undefined when somebody else has it locked. */
export type LockFile = (path: string) => Promise<LockedFile | undefined>
