import { decodeRow, isPackedTag, readMarker } from './codec/index.js'
import { locateError, SessionError } from './error.js'
import type { SessionHeader } from './header.js'
import { EventLog } from './log/event-log.js'
import { StoredRows } from './log/stored-rows.js'
import type { StoredRow } from './row.js'
import { CheckedLogBuilder } from './seed.js'
import { type Session, sessionOver } from './session.js'
import { Surface } from './surface.js'
import { isSurfaceEligibleType } from './surface-op.js'
import { checkType } from './validate-event.js'
import { validateHeader } from './validate-header.js'

/** How far a row may be believed. */
export interface RestoreOptions {
  /** A verified checksum covers the row, so that its payload needs no second check and can stay undecoded. */
  readonly trusted?: boolean
}

/**
 * Builds a session from stored rows bit by bit, so that whoever reads a large log can let others run in between. Trusted
 * rows come first; from the first row that is not trusted on, every row is checked in full.
 */
export class SessionRestorer {
  readonly #header: SessionHeader
  readonly #rows: StoredRow[] = []
  readonly #surface = new Surface()
  #nextSeq = 0
  #tail: CheckedLogBuilder | undefined

  /** @throws INVALID_EVENT, NOT_JSON, FORMAT_UNSUPPORTED */
  constructor(header: SessionHeader) {
    this.#header = validateHeader(header, header?.id)
  }

  /** The seq that the next row must have. */
  get nextSeq(): number {
    return this.#nextSeq
  }

  /** @throws INVALID_EVENT for a gap, an overlap, a duplicate or a malformed row; SURFACE_CONFLICT, NOT_JSON */
  push(row: StoredRow, options: RestoreOptions = {}): void {
    try {
      if (options.trusted === true && this.#tail === undefined) this.#pushTrusted(row)
      else this.#pushChecked(row)
    } catch (error) {
      throw locateError(error, { session: this.#header.id })
    }
    this.#nextSeq += row.count
  }

  /** The session. The restorer is used up. */
  finish(): Session {
    return sessionOver(this.#header, this.#tail?.log ?? new EventLog(new StoredRows(this.#rows)))
  }

  #pushTrusted(row: StoredRow): void {
    const { seq, count, type, surface } = row
    if (seq !== this.#nextSeq) throw invalid(row, `seq ${this.#nextSeq}`, `seq ${seq}`)
    if (!(Number.isSafeInteger(count) && count >= 1 && Number.isSafeInteger(seq + count))) {
      throw invalid(row, 'a positive number of events', String(count))
    }
    if (!isPackedTag(type)) {
      checkType(type, seq)
      if (count !== 1) throw invalid(row, 'one event in a row', String(count))
    }
    if (surface !== isSurfaceEligibleType(type)) {
      throw invalid(row, `${surface ? 'no' : 'a'} surface marker on ${JSON.stringify(type)}`, surface ? 'one' : 'none')
    }
    if (surface) this.#surface.apply(seq, readMarker(row.body).surfaceOp)
    this.#rows.push(row)
  }

  #pushChecked(row: StoredRow): void {
    this.#tail ??= new CheckedLogBuilder(new EventLog(new StoredRows(this.#rows)), this.#surface)
    const events = decodeRow(row)
    if (row.seq !== this.#nextSeq) throw invalid(row, `seq ${this.#nextSeq}`, `seq ${row.seq}`)
    if (events.length !== row.count) throw invalid(row, `${row.count} events`, String(events.length))
    for (const event of events) this.#tail.add(event)
  }
}

function invalid(row: StoredRow, expected: string, found: string): SessionError {
  return new SessionError('INVALID_EVENT', { expected, found, seq: row.seq })
}
