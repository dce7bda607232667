import type { AnySession } from '../core/contestants.ts'

/** The backends that are compared. */
export const backendNames = ['ours', 'peer', 'peer-zstd'] as const

export type BackendName = (typeof backendNames)[number]

/** What the benchmarks do with a store and the backend behind it. */
export interface MountedBackend {
  create(id: string): AnySession
  flush(session: AnySession): Promise<void>
  /** Brings a stored session into memory, ready to be appended to. */
  resume(id: string): Promise<AnySession>
  /** The events from `seq` on. */
  readFrom(id: string, seq: number): Promise<number>
  /** How many sessions a page, or the whole list, holds. */
  list(): Promise<number>
  /** A stored child of a stored session. */
  fork(id: string, childId: string): Promise<void>
  close(): Promise<void>
}

export async function mount(name: BackendName, root: string): Promise<MountedBackend> {
  return name === 'ours' ? mountOurs(root) : mountPeer(root, name === 'peer' ? 'none' : 'zstd')
}

async function mountOurs(root: string): Promise<MountedBackend> {
  const { Context } = await import('cordis')
  const { default: SessionStore } = await import('@dsh/session-store')
  const { default: JsonlPersistence } = await import('@dsh/persistence-jsonl')
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  await ctx.plugin(JsonlPersistence, { root })
  const { sessions, sessionPersistence } = ctx
  return {
    create: id => sessions.create(id) as unknown as AnySession,
    flush: session => sessions.flush(session as never),
    resume: async id => (await sessionPersistence.resume(id)).session as unknown as AnySession,
    async readFrom(id, seq) {
      let count = 0
      let from: number | undefined = seq
      while (from !== undefined) {
        const page: { readonly events: readonly unknown[]; readonly next?: number } = await sessionPersistence.readFrom(
          id,
          from,
        )
        count += page.events.length
        from = page.next
      }
      return count
    },
    list: async () => (await sessionPersistence.list({ limit: 100_000 })).entries.length,
    async fork(id, childId) {
      await sessionPersistence.fork(id, undefined, childId)
    },
    close: () => sessionPersistence.close(),
  }
}

async function mountPeer(root: string, compression: 'none' | 'zstd'): Promise<MountedBackend> {
  const { Context } = await import('@deepseek-ai/cordis')
  const { default: SessionStore } = await import('@deepseek-ai/dsh-session')
  const { JsonlSessionPersistence } = await import('@deepseek-ai/dsh-session-persistence-jsonl')
  const ctx = new Context()
  await ctx.plugin(SessionStore as never)
  const fiber = await ctx.plugin(JsonlSessionPersistence as never, { root, compression } as never)
  const { sessions, sessionPersistence } = ctx as unknown as {
    sessions: {
      create(id: string, options: { meta?: object; seed?: unknown }): AnySession
      flush(session: AnySession): Promise<void>
    }
    sessionPersistence: {
      load(id: string): Promise<{ meta: object; events: unknown[] }>
      readFrom(id: string, seq: number): Promise<{ events: unknown[] }>
      list(): Promise<unknown[]>
    }
  }
  const meta = { cwd: '/bench', delegationDepth: 0 }
  return {
    create: id => sessions.create(id, { meta }),
    flush: session => sessions.flush(session),
    async resume(id) {
      const { events, meta } = await sessionPersistence.load(id)
      return sessions.create(id, { seed: events, meta })
    },
    readFrom: async (id, seq) => (await sessionPersistence.readFrom(id, seq)).events.length,
    list: async () => (await sessionPersistence.list()).length,
    async fork(id, childId) {
      const { events } = await sessionPersistence.load(id)
      const child = sessions.create(childId, {
        seed: events,
        meta: { ...meta, parentSession: id, seedLength: events.length },
      })
      await sessions.flush(child)
    },
    close: async () => {
      await fiber.dispose()
    },
  }
}
