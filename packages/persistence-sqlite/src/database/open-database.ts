import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SessionError } from '@dsh/session'
import { createFile } from './create-file.js'
import { Database } from './database.js'
import { FileIdentity } from './file-identity.js'
import { refuseNetworkFileSystem } from './local-file-system.js'
import type { DatabaseKind } from './migrate.js'
import { migrate, refuseForeign } from './migrate.js'
import { migrations } from './migrations/index.js'
import { databaseError, isBusy } from './sqlite-error.js'

/** How a database is opened. */
export interface DatabaseOptions {
  /** Absolute path. */
  readonly file: string
  readonly durability: 'fsync' | 'none'
  readonly busyTimeoutMs: number
  /** Most bytes that the file may take. */
  readonly maxBytes?: number | undefined
  /** Default `sessions`. */
  readonly kind?: DatabaseKind
}

const PAGE_SIZE = 4096
/** A log that grew past this is cut back when its pages have been moved into the database. */
const LOG_BYTES = 64 << 20
const RETRY_MS = 10

/**
 * Opens a database, created and migrated as needed; the directories above it are created, too.
 * @throws STORAGE_FAILED, FORMAT_UNSUPPORTED for a newer schema; a file that is refused is left untouched
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { file, busyTimeoutMs, kind = 'sessions' } = options
  const task = { purpose: 'open the database' }
  let connection: DatabaseSync | undefined
  try {
    refuseNetworkFileSystem(dirname(file))
    const path = createFile(file)
    // A symbolic link may have led elsewhere.
    refuseNetworkFileSystem(dirname(path))
    inspect(path, busyTimeoutMs, kind)
    connection = new DatabaseSync(path, { timeout: busyTimeoutMs })
    configure(connection, options)
    migrate(connection, path, migrations, kind)
    const { token } = connection.prepare('SELECT token FROM identity').get() as { token: string }
    return new Database(connection, path, new FileIdentity(path, token))
  } catch (error) {
    connection?.close()
    throw databaseError(error, file, task)
  }
}

/** Looks at a file through a connection that cannot write, before another one may. */
function inspect(file: string, timeout: number, kind: DatabaseKind): void {
  const probe = new DatabaseSync(file, { readOnly: true, timeout })
  try {
    refuseForeign(probe, file, migrations.length, kind)
  } finally {
    probe.close()
  }
}

function configure(connection: DatabaseSync, { file, durability, busyTimeoutMs, maxBytes }: DatabaseOptions): void {
  // These two only count for a database that is being created, and must come first.
  connection.exec(`PRAGMA page_size = ${PAGE_SIZE}; PRAGMA auto_vacuum = INCREMENTAL`)
  useLog(connection, file, busyTimeoutMs)
  // `fullfsync` asks macOS for what a sync means elsewhere.
  connection.exec(`
    PRAGMA synchronous = ${durability === 'fsync' ? 'FULL' : 'OFF'};
    PRAGMA fullfsync = ON;
    PRAGMA journal_size_limit = ${LOG_BYTES};
  `)
  if (maxBytes === undefined) return
  const { page_size } = connection.prepare('PRAGMA page_size').get() as { page_size: number }
  connection.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / page_size))}`)
}

/** Switches to a write-ahead log. SQLite does not wait for others while it does that. */
function useLog(connection: DatabaseSync, file: string, busyTimeoutMs: number): void {
  const end = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      const { journal_mode } = connection.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string }
      if (journal_mode === 'wal') return
      throw new SessionError('STORAGE_FAILED', {
        expected: 'a file system that a write-ahead log works on',
        found: `the journal mode ${journal_mode}`,
        file,
        details: { indeterminate: false },
      })
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}
