import type { SessionPersistence } from '@dsh/persistence'
import JsonlPersistence from '@dsh/persistence-jsonl'
import type { Context } from 'cordis'
import SqlitePersistence, { type SqlitePersistenceConfig } from '../../src/index.js'
import { temporaryDirectory, temporaryFile } from '../support/temporary.js'

/** A backend that is mounted, until it is disposed. */
export interface Mounted {
  readonly persistence: SessionPersistence
  dispose(): Promise<void>
}

/** Mounts a backend. */
export type Mount = (ctx: Context) => Promise<Mounted>

// Nothing is stored that a test did not ask for.
const common = { durability: 'none', writeDelayMs: 1_000_000, closeTimeoutMs: 2_000 } as const

/** A JSONL backend on a root of its own, the same one at every mount. */
export function jsonl(): Mount {
  const root = temporaryDirectory()
  return async ctx => {
    const fiber = await ctx.plugin(JsonlPersistence, { ...common, root })
    return { persistence: ctx.sessionPersistence, dispose: () => fiber.dispose() }
  }
}

/** A SQLite backend on a database of its own, the same one at every mount. */
export function sqlite(more: Partial<SqlitePersistenceConfig> = {}): Mount & { readonly file: string } {
  const file = temporaryFile()
  const mount: Mount = async ctx => {
    const fiber = await ctx.plugin(SqlitePersistence, { ...common, file, ...more })
    return { persistence: ctx.sessionPersistence, dispose: () => fiber.dispose() }
  }
  return Object.assign(mount, { file })
}
