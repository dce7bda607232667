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
    const isEmpty = inspect(path, busyTimeoutMs, kind)
    connection = new DatabaseSync(path, { timeout: busyTimeoutMs })
    configure(connection, options, isEmpty)
    migrate(connection, path, migrations, kind)
    requireWritable(connection, busyTimeoutMs)
    const { token } = connection.prepare('SELECT token FROM identity').get() as { token: string }
    return new Database(connection, path, new FileIdentity(path, token))
  } catch (error) {
    connection?.close()
    throw databaseError(error, file, task)
  }
}

/**
 * Looks at a file through a connection that cannot write, before another one may.
 * @returns whether it holds nothing yet
 */
function inspect(file: string, timeout: number, kind: DatabaseKind): boolean {
  const probe = new DatabaseSync(file, { readOnly: true, timeout })
  try {
    refuseForeign(probe, file, migrations.length, kind)
    return pragma(probe, 'page_count') === 0
  } finally {
    probe.close()
  }
}

function configure(connection: DatabaseSync, options: DatabaseOptions, isEmpty: boolean): void {
  const { file, durability, busyTimeoutMs, maxBytes } = options
  unlessBusy(busyTimeoutMs, () => {
    // These two must come before anything else, and on a database that exists they would have to wait for its writers.
    if (isEmpty) connection.exec(`PRAGMA page_size = ${PAGE_SIZE}; PRAGMA auto_vacuum = INCREMENTAL`)
    useLog(connection, file)
  })
  // `fullfsync` asks macOS for what a sync means elsewhere.
  connection.exec(`
    PRAGMA synchronous = ${durability === 'fsync' ? 'FULL' : 'OFF'};
    PRAGMA fullfsync = ON;
    PRAGMA journal_size_limit = ${LOG_BYTES};
  `)
  if (maxBytes === undefined) return
  connection.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pragma(connection, 'page_size')))}`)
}

/** @throws what SQLite says to a change of a file that it can only read; the change is taken back */
function requireWritable(connection: DatabaseSync, busyTimeoutMs: number): void {
  connection.exec('PRAGMA busy_timeout = 0')
  try {
    connection.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${migrations.length}`)
  } catch (error) {
    // Then somebody else is writing.
    if (!isBusy(error)) throw error
  } finally {
    if (connection.isTransaction) connection.exec('ROLLBACK')
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  }
}

/** @throws STORAGE_FAILED where the file system has no shared memory */
function useLog(connection: DatabaseSync, file: string): void {
  const mode = pragma<string>(connection, 'journal_mode = WAL')
  if (mode === 'wal') return
  throw new SessionError('STORAGE_FAILED', {
    expected: 'a file system that a write-ahead log works on',
    found: `the journal mode ${mode}`,
    file,
    details: { indeterminate: false },
  })
}

/** Tries again for a while what SQLite does not wait for others with. */
function unlessBusy(busyTimeoutMs: number, operation: () => void): void {
  const end = performance.now() + busyTimeoutMs
  for (let isDone = false; !isDone; ) {
    try {
      operation()
      isDone = true
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

function pragma<Value = number>(connection: DatabaseSync, text: string): Value {
  return Object.values(connection.prepare(`PRAGMA ${text}`).get()!)[0] as Value
}
