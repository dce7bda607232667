import type { SessionEvent, SessionId } from '@dsh/session'
import { decodeRecord } from './decode.js'
import type { DriverHandle } from './driver.js'
import type { Engine } from './engine.js'

/**
 * The events of a stored session from `fromSeq` on, and those that are stored later, each once and in order, whoever
 * stores them: only what is durable and verified is given. Ends when `signal` aborts or the backend goes away.
 * @throws as opening and reading the session
 */
export async function* watch(
  engine: Engine,
  id: SessionId,
  fromSeq: number,
  signal?: AbortSignal,
): AsyncIterable<SessionEvent> {
  const stop = signal === undefined ? engine.signal : AbortSignal.any([signal, engine.signal])
  if (stop.aborted) return
  const handle = await engine.driver.open(id, 'read')
  const alarm = new Alarm(engine, id, stop)
  try {
    let next = fromSeq
    while (!stop.aborted) {
      alarm.reset()
      for await (const event of eventsFrom(handle, next, stop)) {
        yield event
        next = event.seq + 1
        if (stop.aborted) return
      }
      await alarm.wait()
    }
  } catch (error) {
    if (!stop.aborted) throw error
  } finally {
    alarm.end()
    await handle.close()
  }
}

async function* eventsFrom(handle: DriverHandle, from: number, signal: AbortSignal): AsyncIterable<SessionEvent> {
  for await (const records of handle.read({ from }, signal)) {
    for (const record of records)
      for (const event of decodeRecord(record, handle.header.id)) if (event.seq >= from) yield event
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
