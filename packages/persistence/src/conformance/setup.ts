import type { SessionErrorCode, SessionId } from '@dsh/session'
import { isSessionError } from '@dsh/session'
import { afterEach, expect } from 'vitest'
import type { Driver, DriverManifest, StoredRecord } from '../driver.js'
import { collect } from './records.js'

/** A storage of its own for one test. */
export interface ConformanceStorage {
  /** Opens a driver on the storage. Each call stands for another process: it shares nothing with the earlier ones. */
  connect(): Driver | Promise<Driver>
  /**
   * Breaks the stored bytes of a session, not at their very end, where they could be taken for a torn tail. No driver
   * has the session open.
   */
  damage?(id: SessionId): void | Promise<void>
  /** Frees what the storage occupies, after every driver has been closed. */
  dispose?(): void | Promise<void>
}

/** What each group of the suite works with. */
export interface ConformanceTarget {
  readonly manifest: DriverManifest
  /** Makes a fresh storage that is torn down after the test. */
  storage(): Promise<TestStorage>
}

/** A storage whose drivers are closed after the test. */
export interface TestStorage {
  connect(): Promise<Driver>
  readonly damage: ConformanceStorage['damage']
}

/** Ties storages to the running test. */
export function conformanceTarget(
  manifest: DriverManifest,
  setup: () => ConformanceStorage | Promise<ConformanceStorage>,
): ConformanceTarget {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  return {
    manifest,
    async storage() {
      const storage = await setup()
      cleanups.push(() => storage.dispose?.())
      return {
        damage: storage.damage?.bind(storage),
        async connect() {
          const driver = await storage.connect()
          cleanups.push(() => driver.close())
          return driver
        },
      }
    },
  }
}

/** Expects a rejection with one of the documented codes and gives the error. */
export async function rejection(promise: Promise<unknown>, code: SessionErrorCode): Promise<Error> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(isSessionError(error), `a SessionError, found ${error}`).toBe(true)
  expect((error as { code: string }).code).toBe(code)
  return error as Error
}

/** Reads all records of a session through a reader of its own. */
export async function stored(driver: Driver, id: SessionId): Promise<StoredRecord[]> {
  const handle = await driver.open(id, 'read')
  try {
    return await collect(handle.read({}))
  } finally {
    await handle.close()
  }
}

/** Compares records by their contract alone: a body may be any kind of byte array, an object may carry more fields. */
export function expectRecords(found: readonly StoredRecord[], expected: readonly StoredRecord[], hint?: string): void {
  expect(found.map(legible), hint).toEqual(expected.map(legible))
}

const decoder = new TextDecoder()

function legible({ seq, count, time, type, surface, version, body }: StoredRecord) {
  const bytes = Uint8Array.from(body)
  return { seq, count, time, type, surface, version, line: decoder.decode(bytes), length: bytes.length }
}
