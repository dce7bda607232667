import type { SessionErrorCode, SessionHeader, SessionId } from '@dsh/session'
import { SessionError } from '@dsh/session'
import type { Driver, DriverHandle, OpenMode, RemoveOptions, StoredRecord } from '../src/driver.js'

/** The operations of a driver and of its handles that can be made to fail or to wait. */
export type Operation = 'create' | 'open' | 'append' | 'read' | 'list' | 'remove' | 'close'

/** What becomes of an operation: it fails before or after it took effect, or waits for a promise first. */
export type Fault = { readonly before: unknown } | { readonly after: unknown } | { readonly wait: Promise<unknown> }

/** Makes a storage failure as a driver reports it. */
export function failure(
  code: SessionErrorCode = 'STORAGE_FAILED',
  details: object = { indeterminate: false },
): SessionError {
  return new SessionError(code, { expected: 'success', found: `a planned ${code}`, details: { ...details } })
}

/** A driver whose operations fail and wait as a test plans, and that keeps account of them. */
export class FaultyDriver implements Driver {
  readonly calls: string[] = []
  /** Operations that are under way, releases left aside, and the most that ever were. */
  running = 0
  mostRunning = 0
  #plan: { operation: Operation; id: string | undefined; fault: Fault }[] = []
  readonly #driver: Driver
  exists?: (id: SessionId) => boolean
  trash?: (id: SessionId) => Promise<void>
  restore?: (id: SessionId) => Promise<void>

  constructor(driver: Driver) {
    this.#driver = driver
    for (const method of ['exists', 'trash', 'restore'] as const) {
      const own = driver[method]
      if (own !== undefined) this[method] = own.bind(driver) as never
    }
  }

  /** Plans a fault for the next such operation, of one session or of any; several are taken in turn. */
  plan(operation: Operation, fault: Fault, id?: string): this {
    this.#plan.push({ operation, id, fault })
    return this
  }

  /** Nothing fails from here on. */
  heal(): void {
    this.#plan = []
  }

  /** The calls of one kind, for instance `append s 3-5`. */
  made(operation: Operation): string[] {
    return this.calls.filter(call => call.startsWith(operation))
  }

  async create(header: SessionHeader, records: readonly StoredRecord[]): Promise<DriverHandle> {
    const what = `create ${header.id} ${span(0, records)}`
    return this.#handle(await this.#run('create', header.id, what, () => this.#driver.create(header, records)))
  }

  async open(id: SessionId, mode: OpenMode): Promise<DriverHandle> {
    return this.#handle(await this.#run('open', id, `open ${id} ${mode}`, () => this.#driver.open(id, mode)))
  }

  list(query: Parameters<Driver['list']>[0]): ReturnType<Driver['list']> {
    return this.#run('list', undefined, 'list', () => this.#driver.list(query))
  }

  remove(id: SessionId, options?: RemoveOptions): Promise<void> {
    return this.#run('remove', id, `remove ${id}`, () => this.#driver.remove(id, options))
  }

  close(): Promise<void> {
    return this.#run('close', undefined, 'close', () => this.#driver.close())
  }

  #handle(handle: DriverHandle): DriverHandle {
    const id = handle.header.id
    const run = this.#run.bind(this)
    return {
      header: handle.header,
      get nextSeq() {
        return handle.nextSeq
      },
      get recovery() {
        return handle.recovery
      },
      append: (expectedSeq, records) =>
        run('append', id, `append ${id} ${span(expectedSeq, records)}`, () => handle.append(expectedSeq, records)),
      async *read(range, signal) {
        await run('read', id, `read ${id} ${JSON.stringify(range)}`, async () => {})
        yield* handle.read(range, signal)
      },
      close: () => run('close', id, `close ${id}`, () => handle.close()),
    }
  }

  async #run<T>(operation: Operation, id: string | undefined, call: string, effect: () => Promise<T>): Promise<T> {
    this.calls.push(call)
    const weight = operation === 'close' ? 0 : 1
    this.running += weight
    this.mostRunning = Math.max(this.mostRunning, this.running)
    try {
      const fault = this.#take(operation, id)
      if (fault !== undefined && 'wait' in fault) await fault.wait
      if (fault !== undefined && 'before' in fault) throw fault.before
      const result = await effect()
      if (fault !== undefined && 'after' in fault) {
        // What was opened by an operation that failed belongs to nobody.
        if (operation === 'create' || operation === 'open') await (result as DriverHandle).close()
        throw fault.after
      }
      return result
    } finally {
      this.running -= weight
    }
  }

  #take(operation: Operation, id: string | undefined): Fault | undefined {
    const index = this.#plan.findIndex(
      each => each.operation === operation && (each.id === undefined || each.id === id),
    )
    return index < 0 ? undefined : this.#plan.splice(index, 1)[0]!.fault
  }
}

function span(from: number, records: readonly StoredRecord[]): string {
  const last = records.at(-1)
  return `${from}-${last === undefined ? from : last.seq + last.count}`
}

/** A promise that a test settles. */
export function gate<T = void>(): { readonly promise: Promise<T>; open(value: T): void; fail(error: unknown): void } {
  let open!: (value: T) => void
  let fail!: (error: unknown) => void
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise, open, fail }
}
