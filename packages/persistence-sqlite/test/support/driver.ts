import { onTestFinished } from 'vitest'
import type { SqliteSystem } from '../../src/driver.js'
import { SqliteDriver } from '../../src/driver.js'
import type { SqliteDriverOptions } from '../../src/options.js'
import { here } from './here.js'
import { temporaryFile } from './temporary.js'

/** A driver for the running test, its database in this thread. */
export function openDriver({ start, locker, ...options }: Partial<SqliteSystem & SqliteDriverOptions> = {}): {
  readonly driver: SqliteDriver
  readonly file: string
} {
  const file = options.file ?? temporaryFile()
  const system = { start: start ?? here.start, locker: locker ?? here.locker }
  const driver = new SqliteDriver({ durability: 'none', busyTimeoutMs: 100, ...options, file }, system)
  onTestFinished(() => driver.close())
  return { driver, file }
}
