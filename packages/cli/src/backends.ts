import { join } from 'node:path'
import type { PersistenceOptions, SessionPersistence } from '@dsh/persistence'
import type { Driver } from '@dsh/persistence/driver'
import type { Context } from 'cordis'
import { kindOf } from './files.js'

/** A way to store sessions, its packages loaded when it is asked for. */
interface Backend {
  /** The file or directory that a root names. */
  place(root: string): string
  /** Mounts it as `ctx.sessionPersistence`. */
  mount(ctx: Context, place: string, options: Partial<PersistenceOptions>): Promise<SessionPersistence>
  /** The storage itself, open, for records that are stored as they are. */
  driver(place: string): Promise<Driver>
  /** The file for an index of the texts of a root, where the backend has none of its own. */
  index?(root: string): string
}

/** The database of a root that is a directory. */
const DATABASE = 'sessions.sqlite'

const databaseEndings = ['.sqlite', '.sqlite3', '.db'] as const

const endings = databaseEndings.join(', ').replace(/, (?=[^,]*$)/, ' or ')

/** The rule of {@link usualBackend}, and where a database lies, for help. */
export const backendRules = {
  usual: `sqlite where the root is a file, or is not there yet and ends in ${endings}; else jsonl`,
  database: `with sqlite, a directory means ${DATABASE} in it`,
} as const

/** The index of a directory of logs. No session's name begins with a dot. */
const INDEX = '.search.sqlite'

/** The backends by name. */
const backends = {
  jsonl: {
    place: root => root,
    async mount(ctx, root, options) {
      const { JsonlPersistence } = await import('@dsh/persistence-jsonl')
      await ctx.plugin(JsonlPersistence, { ...options, root })
      return ctx.sessionPersistence
    },
    async driver(root) {
      const { JsonlDriver } = await import('@dsh/persistence-jsonl')
      const driver = new JsonlDriver({ root })
      await driver.connect()
      return driver
    },
    index: root => join(root, INDEX),
  },
  sqlite: {
    place: root => (isDatabase(root) ? root : join(root, DATABASE)),
    async mount(ctx, file, options) {
      const { SqlitePersistence } = await import('@dsh/persistence-sqlite')
      await ctx.plugin(SqlitePersistence, { ...options, file })
      return ctx.sessionPersistence
    },
    async driver(file) {
      const { SqliteDriver } = await import('@dsh/persistence-sqlite')
      const driver = new SqliteDriver({ file })
      await driver.connect()
      return driver
    },
  },
} satisfies Record<string, Backend>

/** The name of a backend. */
export type BackendName = keyof typeof backends

export const backendNames = Object.keys(backends) as readonly BackendName[]

export function backend(name: BackendName): Backend {
  return backends[name]
}

/** The backend of a root of which nobody says: a file is a database, and so is what is named like one and is not there. */
export function usualBackend(root: string): BackendName {
  return isDatabase(root) ? 'sqlite' : 'jsonl'
}

function isDatabase(root: string): boolean {
  const kind = kindOf(root)
  const name = root.toLowerCase()
  return kind === 'file' || (kind === undefined && databaseEndings.some(ending => name.endsWith(ending)))
}
