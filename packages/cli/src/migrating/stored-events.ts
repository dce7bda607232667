import { isDeepStrictEqual } from 'node:util'
import type { DriverHandle } from '@dsh/persistence/driver'
import type { SessionEvent } from '@dsh/session'
import { decodeRow, SessionError } from '@dsh/session'

/** Every event of a stored session, as its handle has it. */
export async function* storedEvents(handle: DriverHandle): AsyncGenerator<SessionEvent> {
  for await (const records of handle.read({ to: handle.nextSeq })) {
    for (const record of records) yield* decodeRow(record)
  }
}

/**
 * Holds a copy against what it was copied from, header and every event.
 * @param length how many events both must have at least; what the source has beyond them came later
 * @throws SESSION_CORRUPT naming the first difference
 */
export async function requireEqual(source: DriverHandle, copy: DriverHandle, length: number): Promise<void> {
  const session = source.header.id
  const differ = (found: string, seq?: number) =>
    new SessionError('SESSION_CORRUPT', {
      expected: 'a copy that equals its source',
      found,
      session,
      ...(seq !== undefined && { seq }),
    })
  if (!isDeepStrictEqual(source.header, copy.header)) throw differ('another header')
  const copied = storedEvents(copy)
  try {
    let seq = 0
    for await (const event of storedEvents(source)) {
      if (seq >= length) break
      const { value, done } = await copied.next()
      if (done || !isDeepStrictEqual(value, event)) throw differ(done ? 'its end' : 'another event', seq)
      seq++
    }
    if (seq < length) throw differ('a source that ends', seq)
    if (!(await copied.next()).done) throw differ('more events', seq)
  } finally {
    await copied.return(undefined)
  }
}
