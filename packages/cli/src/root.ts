import { dirname, isAbsolute, join, resolve } from 'node:path'
import { kindOf } from './files.js'
import type { Io } from './terminal/io.js'

/** Names the directory or database that holds the sessions. */
export const ROOT_VARIABLE = 'DSH_SESSION_ROOT'

/** Where harnesses that work on a directory keep their sessions. */
export const LOCAL_ROOT = '.dsh-sessions'

type Surroundings = Pick<Io, 'env' | 'cwd' | 'home' | 'platform'>

/**
 * Where the sessions are, absolute: as given; else from the environment; else the {@link LOCAL_ROOT} of the working
 * directory or the nearest one above it; else where the platform keeps data.
 */
export function resolveRoot(given: string | undefined, io: Surroundings): string {
  const named = given ?? (io.env[ROOT_VARIABLE] || undefined)
  return named === undefined ? (findLocalRoot(io.cwd) ?? dataDirectory(io)) : resolve(io.cwd, named)
}

function findLocalRoot(directory: string): string | undefined {
  const root = join(directory, LOCAL_ROOT)
  if (kindOf(root) === 'directory') return root
  const above = dirname(directory)
  return above === directory ? undefined : findLocalRoot(above)
}

function dataDirectory({ env, home, platform }: Surroundings): string {
  const name = 'dsh-session'
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name)
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), name)
  // The base directory specification has relative ones ignored.
  const data = env.XDG_DATA_HOME ?? ''
  return join(isAbsolute(data) ? data : join(home, '.local', 'share'), name)
}
