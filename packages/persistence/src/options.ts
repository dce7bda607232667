import { type ConfigOption, type ConfigOptions, checkOptions, flag, option } from '@dsh/session/config'

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

/** What every backend can be told, for its static `Config`. */
export const persistenceOptions: ConfigOptions<Partial<PersistenceOptions>> = {
  writeDelayMs: milliseconds(0),
  closeTimeoutMs: milliseconds(1),
  packChunks: flag,
  pollMs: milliseconds(1),
}

/** Fills in the defaults. Keys it does not know are the backend's. @throws INVALID_CONFIG naming the option */
export function resolveOptions(given: Partial<PersistenceOptions> = {}): PersistenceOptions {
  checkOptions(persistenceOptions, given)
  const known = Object.fromEntries(
    Object.keys(defaults).flatMap(key => {
      const value = given[key as keyof PersistenceOptions]
      return value === undefined ? [] : [[key, value]]
    }),
  )
  return { ...defaults, ...known }
}

function milliseconds(least: number): ConfigOption<number> {
  return option(
    `a number of milliseconds from ${least}`,
    value => typeof value === 'number' && Number.isFinite(value) && value >= least,
  )
}
