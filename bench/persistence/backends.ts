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
  if (name === 'ours') {
    const { default: JsonlPersistence } = await import('@dsh/persistence-jsonl')
    return mountOurs(JsonlPersistence, { root })
  }
  const { Context } = await import('@deepseek-ai/cordis')
  const { default: SessionStore } = await import('@deepseek-ai/dsh-session')
  const { JsonlSessionPersistence: backend } = await import('@deepseek-ai/dsh-session-persistence-jsonl')
  const compression = name === 'peer' ? 'none' : 'zstd'
  return mountPeer({ Context, SessionStore, backend } as unknown as PeerPackages, { root, compression })
}

interface OurContext {
  readonly sessions: {
    create(id: string, options: { readonly meta: object }): AnySession
    flush(session: AnySession): Promise<void>
  }
  readonly sessionPersistence: {
    resume(id: string): Promise<{ readonly session: AnySession }>
    readFrom(id: string, seq: number): Promise<{ readonly events: readonly unknown[]; readonly next?: number }>
    list(query: { readonly limit: number }): Promise<{ readonly entries: readonly unknown[] }>
    fork(id: string, boundary: undefined, childId: string): Promise<unknown>
    search(query: string): Promise<{ readonly hits: readonly unknown[] }>
    close(): Promise<void>
  }
}

/** What every session is created with. */
const meta = { cwd: '/bench', delegationDepth: 0 }

/** A store of ours with one of its backends, or with none. */
export async function mountOurs(
  backend?: unknown,
  config?: object,
): Promise<MountedBackend & { search(query: string): Promise<number> }> {
  const { Context } = await import('cordis')
  const { default: SessionStore } = await import('@dsh/session-store')
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  if (backend !== undefined) await ctx.plugin(backend as never, config as never)
  const { sessions, sessionPersistence } = ctx as unknown as OurContext
  return {
    create: id => sessions.create(id, { meta }),
    flush: session => sessions.flush(session),
    resume: async id => (await sessionPersistence.resume(id)).session,
    async readFrom(id, seq) {
      let count = 0
      for (let from: number | undefined = seq; from !== undefined; ) {
        const { events, next }: { events: readonly unknown[]; next?: number } = await sessionPersistence.readFrom(
          id,
          from,
        )
        count += events.length
        from = next
      }
      return count
    },
    list: async () => (await sessionPersistence.list({ limit: 100_000 })).entries.length,
    async fork(id, childId) {
      await sessionPersistence.fork(id, undefined, childId)
    },
    search: async query => (await sessionPersistence.search(query)).hits.length,
    close: async () => sessionPersistence?.close(),
  }
}

/** What the peer is made of; its backends come in releases that need their own. */
export interface PeerPackages {
  readonly Context: new () => PeerContext
  readonly SessionStore: unknown
  readonly backend: unknown
}

interface PeerContext {
  plugin(plugin: unknown, config?: object): Promise<{ dispose(): Promise<void> }>
  readonly sessions: {
    create(id: string, options: { meta?: object; seed?: unknown }): AnySession
    flush(session: AnySession): Promise<void>
  }
  readonly sessionPersistence: {
    load(id: string): Promise<{ meta: object; events: unknown[] }>
    readFrom(id: string, seq: number): Promise<{ events: unknown[] }>
    list(): Promise<unknown[]>
  }
}

/** A store of the peer with one of its backends. */
export async function mountPeer(
  { Context, SessionStore, backend }: PeerPackages,
  config: object,
): Promise<MountedBackend> {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  const fiber = await ctx.plugin(backend, config)
  const { sessions, sessionPersistence } = ctx
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
    close: () => fiber.dispose(),
  }
}
