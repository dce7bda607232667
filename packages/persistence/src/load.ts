import type { SessionEvent, SessionHeader, SessionId, SessionView } from '@dsh/session'
import type { DriverHandle, RecoveryReport } from './driver.js'
import type { Engine } from './engine.js'
import { isInUse } from './engine.js'
import { closeInterruptedTurn, restoreSession } from './restore.js'

/** A stored session as somebody who only reads finds it. */
export interface StoredSession {
  readonly header: SessionHeader
  /** The log, its rows decoded as they are read. */
  readonly view: SessionView
  /** The whole log as an array; see `view` for large ones. */
  readonly events: readonly SessionEvent[]
  /** What a torn or foreign log made necessary to read it. */
  readonly recovery?: RecoveryReport
}

/** A stored session as {@link inspect} shows it. */
export interface InspectedSession extends StoredSession {
  /** The events at the end of the log that resuming the session would add. */
  readonly closers: readonly SessionEvent[]
}

/** Exactly the events that were appended, without taking the session over. */
export async function load(engine: Engine, id: SessionId): Promise<StoredSession> {
  await engine.writers.settle(id)
  return withReader(engine, id, async handle => {
    return storedSession(handle, await restoreSession(handle, engine.clock, engine.signal))
  })
}

/**
 * The session as resuming it would give it, with nothing written: an interrupted turn is closed, unless the session is
 * live here and the turn therefore under way.
 */
export async function inspect(engine: Engine, id: SessionId): Promise<InspectedSession> {
  await engine.writers.settle(id)
  return withReader(engine, id, async handle => {
    const restored = await restoreSession(handle, engine.clock, engine.signal)
    if (isInUse(engine, id)) return Object.assign(storedSession(handle, restored), { closers: [] })
    const { session, closers } = closeInterruptedTurn(restored)
    return Object.assign(storedSession(handle, session), { closers })
  })
}

/** Runs `use` with a reader of its own. */
export async function withReader<T>(
  { driver }: Pick<Engine, 'driver'>,
  id: SessionId,
  use: (handle: DriverHandle) => Promise<T>,
): Promise<T> {
  const handle = await driver.open(id, 'read')
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

function storedSession({ recovery }: DriverHandle, view: SessionView): StoredSession {
  return {
    header: view.header,
    view,
    get events() {
      return view.events
    },
    ...(recovery !== undefined && { recovery }),
  }
}
