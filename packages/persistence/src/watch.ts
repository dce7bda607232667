import type { SessionEvent, SessionId } from '@dsh/session'
import { isSessionError, SessionError } from '@dsh/session'
import { decodeRecord } from './decode.js'
import type { DriverHandle } from './driver.js'
import type { Engine } from './engine.js'
import { isInUse } from './engine.js'

/**
 * The events of a stored session from `fromSeq` on, and those that are stored later, each once and in order, whoever
 * stores them: only what is durable and verified is given. A session that is live here is waited for until it is stored.
 * Ends when `signal` aborts or the backend goes away.
 * @throws SESSION_NOT_FOUND, also when the session is removed and the driver can tell; as opening and reading it
 */
export async function* watch(
  engine: Engine,
  id: SessionId,
  fromSeq: number,
  signal?: AbortSignal,
): AsyncIterable<SessionEvent> {
  const stop = signal === undefined ? engine.signal : AbortSignal.any([signal, engine.signal])
  const alarm = new Alarm(engine, id, stop)
  let handle: DriverHandle | undefined
  try {
    handle = await openWhenStored(engine, id, alarm, stop)
    let next = fromSeq
    while (handle !== undefined && !stop.aborted) {
      alarm.reset()
      for await (const event of eventsFrom(handle, next, stop)) {
        yield event
        next = event.seq + 1
        if (stop.aborted) return
      }
      requireStored(engine, id)
      await alarm.wait()
    }
  } catch (error) {
    if (!stop.aborted) throw error
  } finally {
    alarm.end()
    await handle?.close()
  }
}

async function openWhenStored(
  engine: Engine,
  id: SessionId,
  alarm: Alarm,
  stop: AbortSignal,
): Promise<DriverHandle | undefined> {
  while (!stop.aborted) {
    alarm.reset()
    try {
      return await engine.driver.open(id, 'read')
    } catch (error) {
      if (!isSessionError(error, 'SESSION_NOT_FOUND') || !isInUse(engine, id)) throw error
    }
    await alarm.wait()
  }
  return undefined
}

/** An open reader may go on reading what was removed. */
function requireStored({ manifest, direct }: Engine, session: SessionId): void {
  if (!manifest.capabilities.existence || direct.exists!(session)) return
  throw new SessionError('SESSION_NOT_FOUND', { expected: 'a stored session', found: 'one that was removed', session })
}

async function* eventsFrom(handle: DriverHandle, from: number, signal: AbortSignal): AsyncIterable<SessionEvent> {
  for await (const records of handle.read({ from }, signal)) {
    for (const record of records) {
      // What nothing vouches for yet may be a write in flight, which can come to nothing.
      if (record.seq >= (handle.trustedSeq ?? Number.POSITIVE_INFINITY)) return
      for (const event of decodeRecord(record, handle.header.id)) if (event.seq >= from) yield event
    }
  }
}

/** Rings when more may be stored: at once for this process, by notice or at intervals for others. */
class Alarm {
  readonly #engine: Engine
  readonly #signal: AbortSignal
  readonly #ends: (() => void)[]
  #hasRung = false
  #wake: (() => void) | undefined

  constructor(engine: Engine, id: SessionId, signal: AbortSignal) {
    this.#engine = engine
    this.#signal = signal
    const ring = () => {
      this.#hasRung = true
      this.#wake?.()
    }
    this.#ends = [engine.changes.listen(id, ring)]
    if (engine.manifest.capabilities.changeNotice) this.#ends.push(engine.direct.observe!(id, ring))
    signal.addEventListener('abort', ring, { once: true })
    this.#ends.push(() => signal.removeEventListener('abort', ring))
  }

  /** From here on, a ring is one that has not been heeded. */
  reset(): void {
    this.#hasRung = false
  }

  async wait(): Promise<void> {
    if (this.#hasRung || this.#signal.aborted) return
    let cancel = () => {}
    await new Promise<void>(resolve => {
      this.#wake = resolve
      if (!this.#engine.manifest.capabilities.changeNotice) {
        cancel = this.#engine.clock.setTimer(resolve, this.#engine.options.pollMs)
      }
    })
    this.#wake = undefined
    cancel()
  }

  end(): void {
    for (const end of this.#ends) end()
  }
}
