import type { Driver, DriverHandle, StoredRecord } from '@dsh/persistence/driver'
import type { SessionEvent, SessionHeader, SessionId } from '@dsh/session'
import { decodeRow, encodeRows } from '@dsh/session'
import type { ImportStep } from '@dsh/transcript-import'

/** Events that are stored in one go. */
const BATCH = 2_000

interface Storing {
  readonly header: SessionHeader
  readonly inherits: ImportStep['inherits']
  readonly pending: SessionEvent[]
  handle: DriverHandle | undefined
}

/** Stores the sessions of an import while they are read, with some events of each in memory. */
export class SessionStorer {
  readonly #driver: Driver
  readonly #open = new Map<SessionId, Storing>()
  readonly #created: SessionId[] = []

  constructor(driver: Driver) {
    this.#driver = driver
  }

  /** Takes the next events of a session. @throws SESSION_ALREADY_EXISTS, SESSION_LOCKED, STORAGE_FAILED */
  async take({ header, events, inherits, isLast }: ImportStep): Promise<void> {
    const storing = this.#open.get(header.id) ?? { header, inherits, pending: [], handle: undefined }
    this.#open.set(header.id, storing)
    for (const event of events) storing.pending.push(event)
    if (!isLast && storing.pending.length < BATCH) return
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
    const records = encodeRecords(header, pending.splice(0))
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
