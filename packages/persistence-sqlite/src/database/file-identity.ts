import { statSync } from 'node:fs'
import { SessionError } from '@dsh/session'

/** The files of an open database as they were when it was opened. */
export class FileIdentity {
  /** Tells the database from any that could take its place, also when its file is closed and its inode is another's. */
  readonly name: string
  private readonly file: string
  private readonly known: readonly (readonly [path: string, inode: string | undefined])[]

  /**
   * @param file a database in WAL mode that has been read, so that its log is there
   * @param token what the database calls itself
   */
  constructor(file: string, token: string) {
    this.file = file
    this.known = [file, `${file}-wal`].map(path => [path, inodeOf(path)])
    this.name = `${this.known[0]![1]}:${token}`
  }

  /**
   * Refuses to go on when the names lead to other files, or to none: what is written to files without a name is lost.
   * @throws OWNERSHIP_LOST
   */
  requireInPlace(session?: string): void {
    for (const [path, inode] of this.known) {
      const found = inodeOf(path)
      if (found === inode) continue
      throw new SessionError('OWNERSHIP_LOST', {
        expected: 'the database file that was opened',
        found: found === undefined ? 'that it was deleted or moved' : 'another one in its place',
        file: path === this.file ? path : `${this.file}-wal`,
        ...(session !== undefined && { session }),
      })
    }
  }
}

function inodeOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}
