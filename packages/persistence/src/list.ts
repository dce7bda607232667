import type { SessionEvent, SessionId } from '@dsh/session'
import { title } from '@dsh/session'
import { decodeRecord } from './decode.js'
import type { DriverHandle, ListEntry, ListQuery, ReadRange, StoredRecord } from './driver.js'
import { requireCapability } from './driver.js'
import type { Engine } from './engine.js'
import { withReader } from './load.js'
import { storageError } from './storage-error.js'

/** Which sessions to list, and how closely to look at each. */
export interface SessionQuery extends Omit<ListQuery, 'withRecords'> {
  /** Also look for {@link SessionDetails}, which takes a look into every log of the page. */
  readonly details?: boolean
}

/** What a log has to be opened for. */
export interface SessionDetails {
  /** The first prompt, shortened to one line; absent before there is one, or where it is far from the start of the log. */
  readonly title?: string
  /** The number of the last turn; absent where that is far from the end of the log. */
  readonly turns?: number
}

/** One stored session. */
export interface SessionListing extends Omit<ListEntry, 'records'>, SessionDetails {}

/** One page of stored sessions. */
export interface SessionPage {
  readonly entries: readonly SessionListing[]
  /** Present when more follow. */
  readonly cursor?: string
}

/** Logs that are looked into at a time. */
const READERS = 4

/** Bytes of records at either end of a log that are looked at: a list must not read a log of gigabytes for one line. */
const LOOK_BYTES = 2_000_000

/** Sessions that are looked at before others get their turn, where there is nothing to wait for. */
const SLICE = 64

type Records = Iterable<StoredRecord> | AsyncIterable<StoredRecord>

/** Lists what is stored; a broken session is an entry that says so. */
export async function list(engine: Engine, { details, ...query }: SessionQuery): Promise<SessionPage> {
  if (query.trashed === true) requireCapability(engine.manifest, 'trash')
  if (details !== true || query.trashed === true) return engine.driver.list(query)
  const page = await engine.driver.list({ ...query, withRecords: true })
  const entries: SessionListing[] = [...page.entries]
  const unopened: number[] = []
  for (const [index, entry] of page.entries.entries()) {
    if (entry.records) entries[index] = await detail(engine, entry)
    else unopened.push(index)
    if (index % SLICE === SLICE - 1) await engine.clock.breathe()
  }
  const queue = unopened.values()
  const readers = Array.from({ length: READERS }, async () => {
    for (const index of queue) entries[index] = await detail(engine, entries[index]!)
  })
  await Promise.all(readers)
  return { ...page, entries }
}

async function detail(engine: Engine, { records, ...entry }: ListEntry): Promise<SessionListing> {
  if (entry.state === 'corrupt') return entry
  try {
    if (records) return await describe(entry, records, records.toReversed())
    return await withReader(engine, entry.id, handle =>
      describe(entry, new Look(handle, {}), new Look(handle, { reverse: true })),
    )
  } catch (cause) {
    const error = storageError(cause, entry.id)
    if (error.code === 'SESSION_NOT_FOUND') return entry
    return { ...entry, state: 'corrupt', error }
  }
}

async function describe(entry: SessionListing, forward: Records, backward: Records): Promise<SessionListing> {
  const last = await lastTurn(backward, entry.id)
  const found = await firstPrompt(forward, entry.id)
  const state = last?.isOpen ? 'unfinished' : entry.state
  return { ...entry, state, ...(last && { turns: last.turns }), ...(found !== undefined && { title: found }) }
}

async function firstPrompt(records: Records, id: SessionId): Promise<string | undefined> {
  let found = title.initial()
  for await (const event of events(records, title.types!, id)) {
    found = title.apply(found, event)
    if (found !== undefined) break
  }
  return found
}

async function lastTurn(records: Records, id: SessionId): Promise<{ turns: number; isOpen: boolean } | undefined> {
  for await (const event of events(records, ['turn/start', 'turn/end'], id)) {
    const { turn } = event.data as { turn: unknown }
    return { turns: typeof turn === 'number' ? turn : 0, isOpen: event.type === 'turn/start' }
  }
  const isWhole = !(records instanceof Look) || records.isWhole
  return isWhole ? { turns: 0, isOpen: false } : undefined
}

/** The records of a log from one end on, as far as a list may look. */
class Look implements AsyncIterable<StoredRecord> {
  readonly #handle: DriverHandle
  readonly #range: ReadRange
  #left = LOOK_BYTES

  constructor(handle: DriverHandle, range: ReadRange) {
    this.#handle = handle
    this.#range = range
  }

  /** Whether the look, once it is over, has been at all of the log. */
  get isWhole(): boolean {
    return this.#left > 0
  }

  async *[Symbol.asyncIterator](): AsyncIterator<StoredRecord> {
    for await (const records of this.#handle.read(this.#range)) {
      for (const record of records) {
        if (!this.isWhole) return
        yield record
        this.#left -= record.body.length
      }
    }
  }
}

async function* events(records: Records, types: readonly string[], id: SessionId): AsyncIterable<SessionEvent> {
  for await (const record of records) {
    if (types.includes(record.type)) yield* decodeRecord(record, id)
  }
}
