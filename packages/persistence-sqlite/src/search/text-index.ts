import type { Database } from '../database/database.js'
import { isDamage } from '../database/sqlite-error.js'
import { termsOf } from './terms.js'
import { TOKENS_VERSION } from './tokens.js'

/** A text to be found, under the id of what it was taken from. */
export interface IndexedText {
  readonly id: number
  readonly text: string
}

interface State {
  readonly version: number
  /** The least id that may be missing; null when none is. */
  readonly next: number | null
}

/** The index itself is damaged, and nothing that it was derived from need be. */
export class IndexDamage extends Error {
  readonly errcode: unknown

  constructor(cause: Error) {
    super(`the index of the texts: ${cause.message}`, { cause })
    this.errcode = (cause as { errcode?: unknown }).errcode
  }
}

/**
 * The terms of texts, in tables of their own that hold nothing else and can always be built anew. Every change belongs
 * inside a write transaction; damage of the index is an {@link IndexDamage}.
 */
export class TextIndex {
  private readonly database: Database
  private isGivenUp = false

  constructor(database: Database) {
    this.database = database
  }

  /** The least id that has yet to be indexed; undefined when nothing is missing. */
  get next(): number | undefined {
    const state = this.guard(() => this.state)
    return isUsable(state) ? (state.next ?? undefined) : 0
  }

  /** Notes that everything below `next` is indexed, or everything, if that is undefined. */
  set next(next: number | undefined) {
    this.guard(() => this.database.run('UPDATE text_index SET next = ?', next ?? null))
  }

  /** Whether there is an index with the terms of this release. */
  get isReady(): boolean {
    return isUsable(this.guard(() => this.state))
  }

  /** Makes sure of an index, an empty one if need be. */
  prepare(): void {
    if (!this.isReady) this.clear()
  }

  /** Begins the index anew. */
  clear(): void {
    this.guard(() =>
      this.database.exec(`
        DROP TABLE IF EXISTS texts;
        DROP TABLE IF EXISTS text_index;
        CREATE VIRTUAL TABLE texts USING fts5 (terms, content = '', contentless_delete = 1, tokenize = 'ascii');
        CREATE TABLE text_index (version INTEGER NOT NULL, next INTEGER) STRICT;
        INSERT INTO text_index (version, next) VALUES (${TOKENS_VERSION}, 0);
      `),
    )
  }

  /** Does nothing from here on: a damaged index that cannot even be dropped must not keep anything else from being stored. */
  giveUp(): void {
    this.isGivenUp = true
  }

  /** Indexes texts, again if they are already. In an index of a release with other terms they are noted as missing. */
  add(texts: readonly IndexedText[]): void {
    const [first] = texts
    if (first === undefined || this.isGivenUp) return
    this.guard(() => {
      if (isUsable(this.state)) this.insert(texts)
      else this.database.run('UPDATE text_index SET next = min(ifnull(next, ?1), ?1)', first.id)
    })
  }

  /** Forgets texts. */
  remove(ids: readonly number[]): void {
    if (this.isGivenUp) return
    this.guard(() => {
      for (const id of ids) this.database.run('DELETE FROM texts WHERE rowid = ?', id)
      this.writeOut()
    })
  }

  private insert(texts: readonly IndexedText[]): void {
    for (const { id, text } of texts) {
      this.database.run('INSERT OR REPLACE INTO texts (rowid, terms) VALUES (?, ?)', id, termsOf(text))
    }
    this.writeOut()
  }

  /** Makes the index write what it holds in memory, so that damage shows here and not in the commit. */
  private writeOut(): void {
    this.database.exec('SAVEPOINT texts; RELEASE texts')
  }

  private get state(): State | undefined {
    if (!this.database.get("SELECT 1 FROM sqlite_schema WHERE name = 'text_index'")) return undefined
    return this.database.get<State>('SELECT version, next FROM text_index')
  }

  private guard<T>(change: () => T): T {
    try {
      return change()
    } catch (error) {
      throw isDamage(error) ? new IndexDamage(error as Error) : error
    }
  }
}

function isUsable(state: State | undefined): state is State {
  return state?.version === TOKENS_VERSION
}
