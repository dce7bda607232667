import { existsSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { databaseError } from './database/sqlite-error.js'
import { keyOf } from './session-key.js'

/** How long an answer that is wanted at once may wait for another process. */
const TIMEOUT_MS = 100

/**
 * Answers at once whether a session is stored, through a connection of its own that cannot write: a look into an index,
 * microseconds long. All else is left to the thread of the database.
 */
export class Lookup {
  private readonly file: string
  private connection: DatabaseSync | undefined
  private statement: StatementSync | undefined

  constructor(file: string) {
    this.file = file
  }

  /** @throws STORAGE_FAILED */
  has(id: string): boolean {
    try {
      this.statement ??= this.prepare()
      return this.statement?.get(keyOf(id)) !== undefined
    } catch (error) {
      throw databaseError(error, this.file, { purpose: 'look for a session' })
    }
  }

  close(): void {
    this.statement = undefined
    this.connection?.close()
    this.connection = undefined
  }

  /** Undefined while there is no database. */
  private prepare(): StatementSync | undefined {
    if (!existsSync(this.file)) return undefined
    // Loaded when it is needed: under Node 22 the mere import prints a warning.
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    this.connection ??= new DatabaseSync(this.file, { readOnly: true, timeout: TIMEOUT_MS })
    const isReady = this.connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sessions'").get()
    return isReady && this.connection.prepare('SELECT 1 FROM sessions WHERE key = ? AND trashed = 0')
  }
}
