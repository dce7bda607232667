import type { Driver, DriverHandle, StoredRecord } from '@dsh/persistence/driver'
import type { SessionEvent, SessionHeader, SessionId } from '@dsh/session'
import { decodeRow, encodeRows } from '@dsh/session'
import type { ImportStep } from '@dsh/transcript-import'

/** Bytes of records that are stored in one go. */
const BATCH_BYTES = 1_000_000

interface Storing {
  readonly header: SessionHeader
  readonly inherits: ImportStep['inherits']
  readonly pending: StoredRecord[]
  bytes: number
  handle: DriverHandle | undefined
}

/** Stores the sessions of an import while they are read, with a megabyte or so of each in memory. */
export class SessionStorer {
  readonly #driver: Driver
  readonly #open = new Map<SessionId, Storing>()
  readonly #created: SessionId[] = []

  constructor(driver: Driver) {
    this.#driver = driver
  }

  /** Takes the next events of a session. @throws SESSION_ALREADY_EXISTS, SESSION_LOCKED, STORAGE_FAILED */
  async take({ header, events, inherits, isLast }: ImportStep): Promise<void> {
    const storing = this.#open.get(header.id) ?? { header, inherits, pending: [], bytes: 0, handle: undefined }
    this.#open.set(header.id, storing)
    for (const record of encodeRecords(header, events)) {
      storing.pending.push(record)
      storing.bytes += record.body.length
    }
    if (!isLast && storing.bytes < BATCH_BYTES) return
    await this.#store(storing)
    if (!isLast) return
    await storing.handle?.close()
    this.#open.delete(header.id)
  }

  /** Removes what was stored of an import that failed. */
  async undo(): Promise<void> {
    for (const { handle } of this.#open.values()) await handle?.close()
    // Branches go before what they branch off.
    for (const id of this.#created.toReversed()) await this.#driver.remove(id)
  }

  async #store(storing: Storing): Promise<void> {
    const { header, pending } = storing
    const records = pending.splice(0)
    storing.bytes = 0
    if (storing.handle !== undefined) {
      if (records.length > 0) await storing.handle.append(storing.handle.nextSeq, records)
      return
    }
    const inherited = storing.inherits === undefined ? [] : await this.#inherited(header, storing.inherits)
    storing.handle = await this.#driver.create(header, [...inherited, ...records])
    this.#created.push(header.id)
  }

  async #inherited(
    header: SessionHeader,
    { from, boundary }: NonNullable<ImportStep['inherits']>,
  ): Promise<StoredRecord[]> {
    const handle = await this.#driver.open(from, 'read')
    try {
      const inherited: StoredRecord[] = []
      for await (const records of handle.read({ to: boundary + 1 })) {
        for (const record of records) {
          if (record.seq + record.count <= boundary + 1) inherited.push(record)
          else inherited.push(...encodeRecords(header, decodeRow(record).slice(0, boundary + 1 - record.seq)))
        }
      }
      return inherited
    } finally {
      await handle.close()
    }
  }
}

function encodeRecords({ version }: SessionHeader, events: readonly SessionEvent[]): StoredRecord[] {
  return encodeRows(events, { pack: true }).map(row => ({ ...row, version }))
}
