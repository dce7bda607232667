import { statSync } from 'node:fs'
import type { SessionPersistence } from '@dsh/persistence'
import type { Driver } from '@dsh/persistence/driver'
import { type BackendName, backend } from './backends.js'
import { CliError } from './error.js'

/** An open storage. */
export interface Store {
  readonly persistence: SessionPersistence
  /** @throws when something could not be made durable */
  close(): Promise<void>
}

/** Which storage to open. */
export interface StorePlace {
  readonly root: string
  readonly backend: BackendName
}

/** Milliseconds between looks for what another process has stored. */
const POLL_MS = 150

/** Opens a storage that exists. @throws ROOT_NOT_FOUND, STORAGE_FAILED, INVALID_CONFIG */
export async function openStore({ root, backend: name }: StorePlace): Promise<Store> {
  const { place, mount } = backend(name)
  requireExisting(place(root))
  const [{ Context }, { default: SessionStore }] = await Promise.all([import('cordis'), import('@dsh/session-store')])
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  const persistence = await mount(ctx, place(root), { pollMs: POLL_MS })
  return {
    persistence,
    async close() {
      await persistence.close()
      await ctx.fiber.dispose()
    },
  }
}

/** Opens a storage beneath its service, and creates it where it does not exist. @throws STORAGE_FAILED, INVALID_CONFIG */
export function openDriver({ root, backend: name }: StorePlace): Promise<Driver> {
  const { place, driver } = backend(name)
  return driver(place(root))
}

function requireExisting(place: string): void {
  try {
    statSync(place)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new CliError('ROOT_NOT_FOUND', `there is no ${place}; name the root with --root or DSH_SESSION_ROOT`)
    }
    throw new CliError('FILE_FAILED', `cannot look at ${place}: ${message}`, { cause: error })
  }
}
