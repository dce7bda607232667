import type { SessionHeader, SessionId } from '@dsh/session'
import { decodeRow } from '@dsh/session'
import type { DriverHandle, SearchHit, SearchOptions, SearchPage, TolerantItem, TolerantRead } from '../src/driver.js'
import { type Capability, capabilities, defineManifest } from '../src/driver.js'
import { MemoryDriver, MemoryStorage, nextSeqOf } from './memory-driver.js'

/** A storage that can be damaged, searched and observed. */
export class RichStorage extends MemoryStorage {
  /** What a tolerant read finds in place of the records. */
  readonly remains = new Map<string, TolerantItem[]>()
  readonly observers = new Set<{ readonly id: string; changed(): void }>()
}

export const richManifest = defineManifest('rich', ...(Object.keys(capabilities) as Capability[]))

/** A driver with every capability, each in the simplest way. */
export class RichDriver extends MemoryDriver {
  readonly #storage: RichStorage

  constructor(storage: RichStorage) {
    super(storage)
    this.#storage = storage
  }

  async fork(source: SessionId, header: SessionHeader): Promise<DriverHandle> {
    const { records } = await this.read(source)
    return this.create(
      header,
      records.filter(record => record.seq < header.seedLength!),
    )
  }

  async readTolerant(id: SessionId): Promise<TolerantRead> {
    const { header, records } = await this.read(id)
    const remains = this.#storage.remains.get(id) ?? [{ kind: 'records', records }]
    return {
      header,
      items: (async function* () {
        yield* remains
      })(),
    }
  }

  locate(header: SessionHeader): string {
    return `memory:${JSON.stringify(header.id)}`
  }

  observe(id: SessionId, changed: () => void): () => void {
    const observer = { id, changed }
    this.#storage.observers.add(observer)
    return () => this.#storage.observers.delete(observer)
  }

  async search(query: string, { cwd }: SearchOptions): Promise<SearchPage> {
    const hits: SearchHit[] = []
    for (const { header, records } of this.#storage.sessions.values()) {
      if (cwd !== undefined && header.cwd !== cwd) continue
      for (const event of records.filter(record => record.surface).flatMap(decodeRow)) {
        const snippet = JSON.stringify(event.data)
        const start = query === '' ? -1 : snippet.indexOf(query)
        if (start < 0) continue
        hits.push({
          id: header.id,
          seq: event.seq,
          time: event.time,
          role: 'user',
          snippet,
          matches: [[start, query.length]],
        })
      }
    }
    return { hits }
  }

  async rebuildSearch(): Promise<void> {}

  private async read(id: SessionId) {
    const handle = await this.open(id, 'read')
    const { header } = handle
    const records = [...(this.#storage.sessions.get(id)?.records ?? [])]
    return { header, records, nextSeq: nextSeqOf(records) }
  }
}

/** A rich storage whose observers hear of every append, as those of a database would. */
export function observedStorage(): { storage: RichStorage; connect(): RichDriver } {
  const storage = new RichStorage()
  return {
    storage,
    connect() {
      const driver = new RichDriver(storage)
      const create = driver.create.bind(driver)
      driver.create = async (header, records) => {
        const handle = await create(header, records)
        const append = handle.append.bind(handle)
        handle.append = async (expectedSeq, batch) => {
          await append(expectedSeq, batch)
          for (const { id, changed } of storage.observers) if (id === header.id) changed()
        }
        return handle
      }
      return driver
    },
  }
}
