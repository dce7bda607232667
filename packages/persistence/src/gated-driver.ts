import type { SessionHeader, SessionId } from '@dsh/session'
import type {
  Driver,
  DriverHandle,
  ListPage,
  ListQuery,
  OpenMode,
  ReadRange,
  RemoveOptions,
  StoredRecord,
  TolerantRead,
} from './driver.js'
import type { OperationSlots } from './slots.js'
import { storageError } from './storage-error.js'

/**
 * A driver whose operations wait for a slot each, a read for one per batch, and whose failures all carry a code. Releasing
 * something never waits for a slot.
 */
export class GatedDriver implements Required<Omit<Driver, 'observe' | 'locate' | 'exists'>> {
  readonly #driver: Driver
  readonly #slots: OperationSlots

  constructor(driver: Driver, slots: OperationSlots) {
    this.#driver = driver
    this.#slots = slots
  }

  create(header: SessionHeader, records: readonly StoredRecord[]): Promise<DriverHandle> {
    return this.#handle(header.id, () => this.#driver.create(header, records))
  }

  open(id: SessionId, mode: OpenMode): Promise<DriverHandle> {
    return this.#handle(id, () => this.#driver.open(id, mode))
  }

  list(query: ListQuery): Promise<ListPage> {
    return this.#run('', () => this.#driver.list(query))
  }

  remove(id: SessionId, options?: RemoveOptions): Promise<void> {
    return this.#run(id, () => this.#driver.remove(id, options))
  }

  trash(id: SessionId): Promise<void> {
    return this.#run(id, () => this.#driver.trash!(id))
  }

  restore(id: SessionId): Promise<void> {
    return this.#run(id, () => this.#driver.restore!(id))
  }

  fork(source: SessionId, header: SessionHeader): Promise<DriverHandle> {
    return this.#handle(header.id, () => this.#driver.fork!(source, header))
  }

  search(...[query, options]: Parameters<NonNullable<Driver['search']>>): ReturnType<NonNullable<Driver['search']>> {
    return this.#run('', () => this.#driver.search!(query, options))
  }

  rebuildSearch(): Promise<void> {
    return this.#run('', () => this.#driver.rebuildSearch!())
  }

  async readTolerant(id: SessionId): Promise<TolerantRead> {
    const read = await this.#run(id, () => this.#driver.readTolerant!(id))
    return { ...read, items: gateIteration(read.items, id, this.#slots) }
  }

  async close(): Promise<void> {
    await this.#driver.close().catch(error => {
      throw storageError(error)
    })
  }

  async #handle(id: SessionId, operation: () => Promise<DriverHandle>): Promise<DriverHandle> {
    return new GatedHandle(await this.#run(id, operation), this.#slots)
  }

  #run<T>(key: SessionId | '', operation: () => Promise<T>): Promise<T> {
    return gate(this.#slots, key, operation)
  }
}

class GatedHandle implements DriverHandle {
  readonly #handle: DriverHandle
  readonly #slots: OperationSlots

  constructor(handle: DriverHandle, slots: OperationSlots) {
    this.#handle = handle
    this.#slots = slots
  }

  get header() {
    return this.#handle.header
  }

  get nextSeq() {
    return this.#handle.nextSeq
  }

  get trustedSeq() {
    return this.#handle.trustedSeq
  }

  get recovery() {
    return this.#handle.recovery
  }

  append(expectedSeq: number, records: readonly StoredRecord[]): Promise<void> {
    return gate(this.#slots, this.header.id, () => this.#handle.append(expectedSeq, records))
  }

  read(range: ReadRange, signal?: AbortSignal): AsyncIterable<readonly StoredRecord[]> {
    return gateIteration(this.#handle.read(range, signal), this.header.id, this.#slots, signal)
  }

  async close(): Promise<void> {
    await this.#handle.close().catch(error => {
      throw storageError(error, this.header.id)
    })
  }
}

async function gate<T>(slots: OperationSlots, key: SessionId | '', operation: () => Promise<T>): Promise<T> {
  try {
    return await slots.run(key, operation)
  } catch (error) {
    throw storageError(error, key === '' ? undefined : key)
  }
}

async function* gateIteration<T>(
  source: AsyncIterable<T>,
  key: SessionId,
  slots: OperationSlots,
  signal?: AbortSignal,
): AsyncIterable<T> {
  const iterator = source[Symbol.asyncIterator]()
  let ended = false
  try {
    for (;;) {
      signal?.throwIfAborted()
      const next = await slots.run(key, () => iterator.next())
      ended = next.done === true
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    throw signal?.aborted && error === signal.reason ? error : storageError(error, key)
  } finally {
    if (!ended) await iterator.return?.()
  }
}
