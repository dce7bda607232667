import type { SessionHeader, SessionId } from '@dsh/session'
import { forkSession, sessionId } from '@dsh/session'
import { encodeBatch } from './batch.js'
import type { DriverHandle } from './driver.js'
import type { Engine } from './engine.js'
import { isInUse } from './engine.js'
import { withReader } from './load.js'
import { restoreSession } from './restore.js'
import { idTaken } from './writers.js'

/**
 * Forks a stored session into another stored one; neither becomes live.
 * @param boundary the last event that the child inherits; the last one of the log where absent
 * @param childId a random one where absent
 * @returns the child's header
 * @throws SESSION_NOT_FOUND, SESSION_ALREADY_EXISTS, INVALID_BOUNDARY; OPEN_TURN when the prefix ends inside a turn
 */
export async function fork(
  engine: Engine,
  id: SessionId,
  boundary?: number,
  childId: string = crypto.randomUUID(),
): Promise<SessionHeader> {
  const { clock, driver, manifest, options, signal, writers } = engine
  const child = sessionId(childId)
  if (isInUse(engine, child)) throw idTaken(child, 'a live session')
  await writers.settle(id)
  const forked = await withReader(engine, id, async handle => {
    const source = await restoreSession(handle, clock, signal)
    const createdAt = clock.wallTime()
    return forkSession(source, { id: child, createdAt, ...(boundary !== undefined && { boundary }) })
  })
  let handle: DriverHandle
  if (manifest.capabilities.forkByReference) handle = await driver.fork(id, forked.header)
  else {
    const { packChunks } = options
    const { records } = await encodeBatch(forked, 0, forked.seq, clock, { packChunks, atLeast: forked.seq })
    handle = await driver.create(forked.header, records)
  }
  await handle.close()
  return forked.header
}
