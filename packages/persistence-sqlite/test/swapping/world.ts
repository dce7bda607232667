import type { Driver, DriverManifest, SessionPersistence } from '@dsh/persistence'
import { SessionPersistence as Persistence } from '@dsh/persistence'
import type { Session, SessionEvent } from '@dsh/session'
import { isSessionError } from '@dsh/session'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'

/** A backend that survives the processes that use it. */
export interface Storage {
  readonly manifest: DriverManifest
  connect(): Driver | Promise<Driver>
}

/** What an operation gave, or the code of its refusal. */
export type Outcome = { readonly value: unknown } | { readonly code: string }

/** An application on one backend, which does what a test tells it and answers in data that compare. */
export class World {
  private readonly storage: Storage
  private ctx!: Context
  private driver!: Driver
  private persistence!: SessionPersistence
  private releases = new Map<string, () => Promise<void>>()

  constructor(storage: Storage) {
    this.storage = storage
  }

  async start(): Promise<void> {
    const { manifest } = this.storage
    const driver = await this.storage.connect()
    class TestedPersistence extends Persistence {
      constructor(ctx: Context) {
        super(ctx, { manifest, connect: () => driver }, { writeDelayMs: 1_000_000, closeTimeoutMs: 1_000 })
      }
    }
    this.ctx = new Context()
    this.driver = driver
    this.releases = new Map()
    await this.ctx.plugin(SessionStore)
    await this.ctx.plugin(TestedPersistence)
    this.persistence = this.ctx.sessionPersistence
  }

  /** Ends the process in good order, and starts another. */
  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /** Ends the process at once: what was not flushed is lost. */
  async crash(): Promise<void> {
    await this.driver.close()
    await this.ctx.fiber.dispose()
    await this.start()
  }

  async stop(): Promise<void> {
    await this.ctx.fiber.dispose()
  }

  create(id: string, cwd: string | undefined): Promise<Outcome> {
    return outcome(async () => void this.ctx.sessions.create(id, { meta: cwd === undefined ? {} : { cwd } }))
  }

  append(id: string, kind: Append, text: string): Promise<Outcome> {
    return this.live(id, session => append(session, kind, text))
  }

  flush(id: string): Promise<Outcome> {
    return this.live(id, session => this.ctx.sessions.flush(session))
  }

  resume(id: string): Promise<Outcome> {
    return outcome(async () => {
      const { session, closers, release } = await this.persistence.resume(id)
      if (!this.releases.has(id)) this.releases.set(id, release)
      return { closers: closers.length, events: session.events }
    })
  }

  release(id: string): Promise<Outcome> {
    return outcome(async () => {
      await this.releases.get(id)?.()
      this.releases.delete(id)
    })
  }

  fork(id: string, child: string, boundary: number | undefined): Promise<Outcome> {
    return outcome(() => this.persistence.fork(id, boundary, child))
  }

  remove(how: 'delete' | 'trash' | 'restore', id: string): Promise<Outcome> {
    return outcome(() => this.persistence[how](id))
  }

  empty(id: string): Promise<Outcome> {
    return outcome(() => this.persistence.delete(id, { trashed: true }))
  }

  /** Everything that can be seen of the storage. */
  async look(ids: readonly string[]): Promise<unknown> {
    const list = await outcome(async () => {
      const pages: unknown[] = []
      for (const query of [
        {},
        { order: 'oldest', limit: 2 },
        { cwd: '/one' },
        { parent: 'a' as never },
        { trashed: true },
      ] as const) {
        let cursor: string | undefined
        do {
          const page = await this.persistence.list({ ...query, ...(cursor !== undefined && { cursor }) })
          // Bytes are a matter of the backend, and so is which open turns it can tell of cheaply.
          pages.push(
            page.entries.map(({ bytes: _, state, ...entry }) => ({ ...entry, isCorrupt: state === 'corrupt' })),
          )
          cursor = page.cursor
        } while (cursor !== undefined)
      }
      return pages
    })
    const logs = await Promise.all(
      ids.map(id =>
        outcome(async () => {
          const { events, closers } = await this.persistence.inspect(id)
          return { events, closers: closers.length }
        }),
      ),
    )
    return { list, logs }
  }

  search(query: string, cwd?: string): Promise<Outcome> {
    return outcome(async () => {
      const { hits } = await this.persistence.search(query, { limit: 1_000, ...(cwd !== undefined && { cwd }) })
      return hits.map(({ id, seq, role }) => `${id} ${seq} ${role}`).sort()
    })
  }

  /** What a search has to find, by looking at every stored event. */
  async expectedHits(word: string, cwd?: string): Promise<string[]> {
    const hits: string[] = []
    for (const { id } of (await this.persistence.list(cwd === undefined ? {} : { cwd })).entries) {
      const handle = await this.driver.open(id, 'read')
      const { decodeRow } = await import('@dsh/session')
      for await (const records of handle.read({})) {
        for (const event of records.flatMap(record => decodeRow(record))) {
          const role = roleOf(event)
          if (role !== undefined && JSON.stringify(event.data).includes(word)) hits.push(`${id} ${event.seq} ${role}`)
        }
      }
      await handle.close()
    }
    return hits.sort()
  }

  private live(id: string, operation: (session: Session) => unknown): Promise<Outcome> {
    return outcome(async () => {
      const session = this.ctx.sessions.get(id)
      return session === undefined ? 'not live' : operation(session)
    })
  }
}

export type Append = 'turn' | 'open turn' | 'note' | 'stream'

function append(session: Session, kind: Append, text: string): void {
  const id = (name: string) => `${session.id} ${session.seq} ${name}` as never
  const content = [{ type: 'text' as const, text }]
  if (kind === 'note') {
    session.append('todo/write', { todos: [{ content: text, status: 'pending' }] })
    return
  }
  const turn = session.seq + 1
  session.append('turn/start', { turn, trigger: { kind: 'message', source: { kind: 'user' } } })
  session.append(
    'user/message',
    { id: id('user'), role: 'user', source: { kind: 'user' }, content },
    { surfaceOp: 'append' },
  )
  session.append('step/start', { turn, step: 1 })
  const chunks = Array.from({ length: kind === 'stream' ? 20 : 2 }, (_, index) =>
    session.append('assistant/chunk', {
      turn,
      step: 1,
      chunk: { type: 'text-delta', index: 0, text: `${text}${index}` },
    }),
  )
  if (kind === 'open turn') return
  const message = {
    id: id('model'),
    role: 'assistant',
    source: { kind: 'model', provider: 'p', model: 'm' },
    content,
  } as const
  session.append(
    'assistant/message',
    { turn, step: 1, message },
    { surfaceOp: 'append', sourceEventSeqs: chunks.map(({ seq }) => seq) },
  )
  session.append('step/end', { turn, step: 1 })
  session.append('turn/end', { turn, reason: { kind: 'completed' } })
}

function roleOf({ type }: SessionEvent): string | undefined {
  return type === 'user/message'
    ? 'user'
    : type === 'assistant/message'
      ? 'assistant'
      : type === 'tool/result'
        ? 'tool'
        : undefined
}

async function outcome(operation: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await operation() }
  } catch (error) {
    if (!isSessionError(error)) throw error
    return { code: error.code }
  }
}
