import type { DatabaseSync } from 'node:sqlite'
import { SessionError } from '@dsh/session'

/** Marks a file as this project's: `dshs`, or `dshx` where all of it is derived from sessions elsewhere. */
export const applicationIds = { sessions: 0x64736873, index: 0x64736878 } as const

/** What a database is. */
export type DatabaseKind = keyof typeof applicationIds

/**
 * Refuses a database that this release must not write to. Reads only.
 * @throws FORMAT_UNSUPPORTED for a newer schema, STORAGE_FAILED for another application's database
 */
export function refuseForeign(connection: DatabaseSync, file: string, newest: number, kind: DatabaseKind): void {
  const application = pragma(connection, 'application_id')
  const { count } = connection.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number }
  if (application !== applicationIds[kind] && (application !== 0 || count > 0)) {
    throw new SessionError('STORAGE_FAILED', {
      expected:
        kind === 'sessions' ? 'a database of sessions, or an empty file' : 'an index of sessions, or an empty file',
      found: 'the database of another application, or for another purpose',
      file,
      details: { indeterminate: false },
    })
  }
  const version = pragma(connection, 'user_version')
  if (version <= newest) return
  throw new SessionError('FORMAT_UNSUPPORTED', {
    expected: `a database schema up to version ${newest}`,
    found: `the newer version ${version}`,
    file,
    details: { version },
  })
}

/**
 * Brings a database to the newest schema, all of it or nothing.
 * @throws as {@link refuseForeign}, and what SQLite throws
 */
export function migrate(
  connection: DatabaseSync,
  file: string,
  migrations: readonly string[],
  kind: DatabaseKind,
): void {
  if (pragma(connection, 'user_version') === migrations.length) return
  connection.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have been here first.
    refuseForeign(connection, file, migrations.length, kind)
    const pending = migrations.slice(pragma(connection, 'user_version'))
    for (const migration of pending) connection.exec(migration)
    connection.exec(
      `PRAGMA application_id = ${applicationIds[kind]}; PRAGMA user_version = ${migrations.length}; COMMIT`,
    )
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

function pragma(connection: DatabaseSync, name: string): number {
  const row = connection.prepare(`PRAGMA ${name}`).get() as Record<string, number>
  return row[name]!
}
