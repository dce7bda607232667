import { existsSync } from 'node:fs'
import type { AnySession } from '../core/contestants.ts'
import { type MountedBackend, mount as mountFiles } from '../persistence/backends.ts'

/** The backends that are compared. */
export const contestants = ['jsonl', 'sqlite', 'peer-sqlite'] as const

export type Contestant = (typeof contestants)[number]

/** Those that are installed. */
export const installed: readonly Contestant[] = existsSync(new URL('./peer/node_modules', import.meta.url))
  ? contestants
  : ['jsonl', 'sqlite']

/** A mounted backend, which may be able to search. */
export interface SearchedBackend extends MountedBackend {
  search?(query: string): Promise<number>
}

/** Mounts a backend on a directory, or on a database in it. */
export async function mount(name: Contestant, root: string): Promise<SearchedBackend> {
  if (name === 'jsonl') return mountFiles('ours', root)
  return name === 'sqlite' ? mountOurs(`${root}.db`) : mountPeer(`${root}.db`)
}

async function mountOurs(file: string): Promise<SearchedBackend> {
  const { Context } = await import('cordis')
  const { default: SessionStore } = await import('@dsh/session-store')
  const { default: SqlitePersistence } = await import('@dsh/persistence-sqlite')
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  await ctx.plugin(SqlitePersistence, { file })
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
    search: async query => (await sessionPersistence.search(query)).hits.length,
    close: () => sessionPersistence.close(),
  }
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

async function mountPeer(path: string): Promise<SearchedBackend> {
  const peer = './peer/index.js'
  const { Context, SessionStore, SqlitePersistence } = (await import(peer)) as {
    Context: new () => PeerContext
    SessionStore: unknown
    SqlitePersistence: unknown
  }
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  const fiber = await ctx.plugin(SqlitePersistence, { path })
  const { sessions, sessionPersistence } = ctx
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
    close: () => fiber.dispose(),
  }
}
