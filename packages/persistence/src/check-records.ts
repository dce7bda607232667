import { SessionError } from '@dsh/session'
import type { StoredRecord } from './driver.js'

const LINE_FEED = 0x0a

/**
 * Refuses records that would not be read back as they are.
 * @param next the sequence number that the first of them must have
 * @throws INVALID_EVENT for a gap, an overlap, a time that is no whole number, or a body that is not one line
 */
export function checkRecords(records: readonly StoredRecord[], next: number, session: string): void {
  let expected = next
  for (const { seq, count, time, body } of records) {
    if (seq !== expected || !(count >= 1)) {
      const found = `one of ${count} from ${seq}`
      throw new SessionError('INVALID_EVENT', {
        expected: `a record from event ${expected}`,
        found,
        session,
        seq: expected,
      })
    }
    if (!Number.isSafeInteger(time)) {
      throw new SessionError('INVALID_EVENT', { expected: 'whole epoch milliseconds', found: `${time}`, session, seq })
    }
    if (body.length === 0 || body.includes(LINE_FEED)) {
      const found = body.length === 0 ? 'an empty body' : 'a line feed in it'
      throw new SessionError('INVALID_EVENT', { expected: 'a body of one line', found, session, seq })
    }
    expected += count
  }
}
