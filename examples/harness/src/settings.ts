import { join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** The directory that holds the sessions: `DSH_SESSIONS`, else one in the directory that is worked on. */
export function sessionsDirectory(env: Environment, directory: string): string {
  return resolve(env.DSH_SESSIONS || join(directory, '.dsh-sessions'))
}

/**
 * What happens to an append that breaks a rule, from `DSH_INVARIANTS`. Here it is refused by default: a harness that is
 * being developed should learn of it at once.
 * @throws Error for another value
 */
export function invariantMode(env: Environment): 'throw' | 'report' | 'off' {
  const mode = env.DSH_INVARIANTS || 'throw'
  if (mode === 'throw' || mode === 'report' || mode === 'off') return mode
  throw new Error(`DSH_INVARIANTS: expected throw, report or off, found ${JSON.stringify(mode)}`)
}

/** An id for a session that sorts by time and is easy to type. */
export function newSessionId(prefix: string, now = new Date()): string {
  const [date, time] = now.toISOString().replace(/[-:]/g, '').split(/[T.]/)
  return `${prefix}-${date}-${time}-${Math.floor(Math.random() * 36 ** 3)
    .toString(36)
    .padStart(3, '0')}`
}
