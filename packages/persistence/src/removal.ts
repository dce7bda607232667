import type { SessionId } from '@dsh/session'
import { SessionError } from '@dsh/session'
import { type RemoveOptions, requireCapability } from './driver.js'
import type { Engine } from './engine.js'
import { isInUse } from './engine.js'

/**
 * Removes a stored session, or those of its id in the trash, for good; forks of it keep what they inherited.
 * @throws SESSION_LOCKED while one is live; UNSUPPORTED where there is no trash
 */
export async function remove(engine: Engine, id: SessionId, options: RemoveOptions = {}): Promise<void> {
  if (options.trashed === true) requireCapability(engine.manifest, 'trash')
  await refuseLive(engine, id)
  await engine.driver.remove(id, options)
  engine.changes.notify(id)
}

/** Puts a stored session into the trash. @throws UNSUPPORTED, SESSION_LOCKED while it is live */
export async function trash(engine: Engine, id: SessionId): Promise<void> {
  requireCapability(engine.manifest, 'trash')
  await refuseLive(engine, id)
  await engine.driver.trash(id)
  engine.changes.notify(id)
}

/** Takes a session out of the trash. @throws UNSUPPORTED, SESSION_ALREADY_EXISTS, SESSION_LOCKED while one is live */
export async function restore(engine: Engine, id: SessionId): Promise<void> {
  requireCapability(engine.manifest, 'trash')
  await refuseLive(engine, id)
  await engine.driver.restore(id)
}

async function refuseLive(engine: Engine, session: SessionId): Promise<void> {
  const leaving = engine.writers.get(session)
  if (leaving?.isLeaving && leaving.isDurable) await leaving.released
  if (!isInUse(engine, session)) return
  throw new SessionError('SESSION_LOCKED', {
    expected: 'a session that is not live',
    found: leaving?.isLeaving ? 'one whose events are still being stored' : 'one that is live in this process',
    session,
    details: { holder: 'this process' },
  })
}
