import { DatabaseSync } from 'node:sqlite'
import { keyOf } from '../../src/session-key.js'

/** Lets one byte of the body in the middle of a log rot, as a disk may. */
export function rotBody(file: string, id: string): void {
  change(file, id, (database, session) => {
    const { middle } = database
      .prepare(
        'SELECT id AS middle FROM records WHERE session = ? ORDER BY seq LIMIT 1 OFFSET (SELECT count(*) / 2 FROM records WHERE session = ?)',
      )
      .get(session, session) as { middle: number }
    const { body } = database.prepare('SELECT CAST(body AS BLOB) AS body FROM records WHERE id = ?').get(middle) as {
      body: Uint8Array
    }
    body[body.length >> 1]! ^= 1
    database.prepare('UPDATE records SET body = CAST(? AS TEXT) WHERE id = ?').run(body, middle)
  })
}

/** Changes a database behind the back of everybody. */
export function change(file: string, id: string, edit: (database: DatabaseSync, session: number) => void): void {
  const database = new DatabaseSync(file)
  try {
    const row = database.prepare('SELECT no FROM sessions WHERE key = ? AND trashed = 0').get(keyOf(id)) as {
      no: number
    }
    edit(database, row.no)
  } finally {
    database.close()
  }
}
