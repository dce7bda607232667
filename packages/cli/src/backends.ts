import type { PersistenceOptions, SessionPersistence } from '@dsh/persistence'
import type { Driver } from '@dsh/persistence/driver'
import type { Context } from 'cordis'

/** A way to store sessions, loaded when it is asked for. */
interface Backend {
  /** The plugin that mounts it as `ctx.sessionPersistence`. */
  plugin(): Promise<new (ctx: Context, config: { root: string } & Partial<PersistenceOptions>) => SessionPersistence>
  /** The storage itself, open, for records that are stored as they are. */
  driver(root: string): Promise<Driver>
}

/** The backends by name, the usual one first. */
const backends = {
  jsonl: {
    plugin: async () => (await import('@dsh/persistence-jsonl')).default,
    async driver(root) {
      const { JsonlDriver } = await import('@dsh/persistence-jsonl')
      const driver = new JsonlDriver({ root })
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
