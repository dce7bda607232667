import { isAbsolute, normalize } from 'node:path'
import { SessionError } from '@dsh/session'
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

/** Fills in the defaults. @throws INVALID_CONFIG naming the option */
export function resolveDriverOptions(options: SqliteDriverOptions): DatabaseOptions {
  const { file, durability = 'fsync', busyTimeoutMs = 5_000, maxBytes } = options
  if (typeof file !== 'string' || !isAbsolute(file) || file.includes('\0')) {
    throw invalid('file', 'an absolute path', file)
  }
  if (durability !== 'fsync' && durability !== 'none') throw invalid('durability', "'fsync' or 'none'", durability)
  if (!Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 0 || busyTimeoutMs > 0x7fffffff) {
    throw invalid('busyTimeoutMs', 'a whole number of milliseconds from 0', busyTimeoutMs)
  }
  if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && maxBytes >= 1)) {
    throw invalid('maxBytes', 'a number of bytes from 1', maxBytes)
  }
  return { file: normalize(file), durability, busyTimeoutMs, maxBytes }
}

function invalid(path: string, expected: string, value: unknown): SessionError {
  const found = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return new SessionError('INVALID_CONFIG', { expected, found, path })
}
