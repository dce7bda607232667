import { isAbsolute, join, resolve } from 'node:path'
import type { Io } from './terminal/io.js'

/** Names the directory that holds the sessions. */
export const ROOT_VARIABLE = 'DSH_SESSION_ROOT'

const NAME = 'dsh-session'

/** The directory that holds the sessions: as given, else from the environment, else where the platform keeps such data. */
export function resolveRoot(given: string | undefined, io: Pick<Io, 'env' | 'cwd' | 'home' | 'platform'>): string {
  const named = given ?? (io.env[ROOT_VARIABLE] || undefined)
  return named === undefined ? defaultRoot(io) : resolve(io.cwd, named)
}

function defaultRoot({ env, home, platform }: Pick<Io, 'env' | 'home' | 'platform'>): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', NAME)
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), NAME)
  // The base directory specification has relative ones ignored.
  const data = env.XDG_DATA_HOME ?? ''
  return join(isAbsolute(data) ? data : join(home, '.local', 'share'), NAME)
}
