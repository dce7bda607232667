import { SessionError } from '@dsh/session'

/** What every backend can be told. */
export interface PersistenceOptions {
  /**
   * Milliseconds for which the first event that waits to be stored waits for others. Small windows double the size of a
   * log. Default 250.
   */
  readonly writeDelayMs: number
  /** Milliseconds that closing takes at most, whatever the storage does. Default 10,000. */
  readonly closeTimeoutMs: number
  /** Whether runs of stream deltas share one record. Default true. */
  readonly packChunks: boolean
  /** Milliseconds between looks for what others have stored, where the backend has no change notice. Default 500. */
  readonly pollMs: number
}

const defaults: PersistenceOptions = { writeDelayMs: 250, closeTimeoutMs: 10_000, packChunks: true, pollMs: 500 }

/** Fills in the defaults. Keys it does not know are the backend's. @throws INVALID_CONFIG naming the option */
export function resolveOptions(given: Partial<PersistenceOptions> = {}): PersistenceOptions {
  const known = Object.fromEntries(
    Object.keys(defaults).flatMap(key => {
      const value = given[key as keyof PersistenceOptions]
      return value === undefined ? [] : [[key, value]]
    }),
  )
  const options: PersistenceOptions = { ...defaults, ...known }
  requireMilliseconds('writeDelayMs', options.writeDelayMs, 0)
  requireMilliseconds('closeTimeoutMs', options.closeTimeoutMs, 1)
  requireMilliseconds('pollMs', options.pollMs, 1)
  if (typeof options.packChunks !== 'boolean') throw invalid('packChunks', 'true or false', options.packChunks)
  return options
}

function requireMilliseconds(path: string, value: unknown, least: number): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return
  throw invalid(path, `a number of milliseconds from ${least}`, value)
}

function invalid(path: string, expected: string, value: unknown): SessionError {
  const found = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return new SessionError('INVALID_CONFIG', { expected, found, path })
}
