/** Stores an event of session `s` in a database and leaves everything open: `forget.ts <file>`. */
import { SqliteDriver } from '@dsh/persistence-sqlite'
import { encodeRows, type SessionId } from '@dsh/session'

const driver = new SqliteDriver({ file: process.argv[2]! })
const handle = await driver.create({ version: 1, id: 's' as SessionId, createdAt: 1 }, [])
const [row] = encodeRows([{ type: 'test/event', seq: 0, time: 1, data: {} } as never])
await handle.append(0, [{ ...row!, version: 1 }])
