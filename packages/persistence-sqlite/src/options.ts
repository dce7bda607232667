import { isAbsolute, normalize } from 'node:path'
import { absolutePath, type ConfigOptions, checkOptions, oneOf, option, required } from '@dsh/session/config'
import type { DatabaseOptions } from './database/open-database.js'

/** What the driver is told. */
export interface SqliteDriverOptions {
  /** The database file; absolute. Created with the directories above it when it is first needed. */
  readonly file: string
  /** Default `fsync`. With `none` a power cut may take anything: for tests only. */
  readonly durability?: 'fsync' | 'none'
  /** Milliseconds for which an operation waits for the transaction of another process. Default 5,000. */
  readonly busyTimeoutMs?: number
  /** Most bytes that the database may take, beside its write-ahead log. Default: what the disk has. */
  readonly maxBytes?: number
}

/** What the driver is told, for the static `Config` of the plugin. */
export const driverOptions: ConfigOptions<SqliteDriverOptions> = {
  file: required(absolutePath(isAbsolute)),
  durability: oneOf('fsync', 'none'),
  busyTimeoutMs: option('a whole number of milliseconds from 0', value => isWhole(value, 0) && value <= 0x7fffffff),
  maxBytes: option('a number of bytes from 1', value => isWhole(value, 1)),
}

/** Fills in the defaults. @throws INVALID_CONFIG naming the option */
export function resolveDriverOptions(options: SqliteDriverOptions): DatabaseOptions {
  checkOptions(driverOptions, options)
  const { file, durability = 'fsync', busyTimeoutMs = 5_000, maxBytes } = options
  return { file: normalize(file), durability, busyTimeoutMs, maxBytes }
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && !Object.is(value, -0) && (value as number) >= least
}
