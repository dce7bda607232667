import { join } from 'node:path'
import { JsonlPersistence } from '@dsh/persistence-jsonl'
import { SqlitePersistence } from '@dsh/persistence-sqlite'
import type { Context } from 'cordis'

/** The ways to store sessions in a directory. Each is `ctx.sessionPersistence`; nothing else has to know which. */
const backends = {
  jsonl: (ctx: Context, sessions: string) => ctx.plugin(JsonlPersistence, { root: sessions }),
  sqlite: (ctx: Context, sessions: string) => ctx.plugin(SqlitePersistence, { file: databaseIn(sessions) }),
}

/** The name of a backend. */
export type BackendName = keyof typeof backends

/** Mounts a backend. @throws STORAGE_FAILED */
export async function mountBackend(ctx: Context, name: BackendName, sessions: string): Promise<void> {
  await backends[name](ctx, sessions)
}

/** The backend of this name, as a command is told it. @throws Error for another one */
export function backendName(name: string): BackendName {
  if (Object.hasOwn(backends, name)) return name as BackendName
  throw new Error(`--backend: expected ${Object.keys(backends).join(' or ')}, found ${JSON.stringify(name)}`)
}

/** The database of a directory of sessions, where the command line of this project looks for it. */
export function databaseIn(sessions: string): string {
  return join(sessions, 'sessions.sqlite')
}
