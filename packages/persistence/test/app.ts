import type { Session, SessionError, SessionHeader } from '@dsh/session'
import SessionStore from '@dsh/session-store'
import { Context } from 'cordis'
import type { Driver, DriverManifest } from '../src/driver.js'
import type { PersistenceOptions } from '../src/options.js'
import { SessionPersistence } from '../src/service.js'
import { MemoryDriver, type MemoryStorage, memoryManifest } from './memory-driver.js'

/** How a test mounts a backend. */
export interface BackendConfig extends Partial<PersistenceOptions> {
  readonly driver: Driver
  readonly manifest?: DriverManifest
}

/** A backend over any driver, as a plugin author would write it. */
export class TestPersistence extends SessionPersistence {
  constructor(ctx: Context, { driver, manifest = memoryManifest, ...options }: BackendConfig) {
    super(ctx, { manifest, connect: () => driver }, options)
  }
}

/** An application with a session store. Its windows are long, so that nothing is written that a test did not ask for. */
export async function startApp(): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  return ctx
}

/** What a test has of a mounted backend. */
export interface Mounted {
  readonly persistence: SessionPersistence
  readonly errors: { readonly error: SessionError; readonly session: Session | undefined }[]
  dispose(): Promise<void>
}

export async function mount(ctx: Context, config: Driver | MemoryStorage | BackendConfig): Promise<Mounted> {
  const given =
    'sessions' in config ? { driver: new MemoryDriver(config) } : 'driver' in config ? config : { driver: config }
  const fiber = await ctx.plugin(TestPersistence, { writeDelayMs: 1_000_000, ...given })
  const errors: Mounted['errors'] = []
  ctx.on('persistence/error', (error, session) => {
    errors.push({ error, session })
  })
  return { persistence: ctx.sessionPersistence, errors, dispose: () => fiber.dispose() }
}

/** Appends `count` log-only events. */
export function grow(session: Session, count = 1): void {
  for (let index = 0; index < count; index++) {
    session.append('todo/write', { todos: [{ content: `item ${session.seq}`, status: 'pending' }] })
  }
}

/** Stores a session and lets it go, as an earlier process did. */
export async function storeSession(
  storage: MemoryStorage,
  id: string,
  fill: (session: Session) => void = () => {},
  meta: Partial<SessionHeader> = {},
): Promise<Session> {
  const ctx = await startApp()
  await mount(ctx, storage)
  const session = ctx.sessions.create(id, { meta })
  fill(session)
  await ctx.sessions.flush(session)
  await ctx.fiber.dispose()
  return session
}
