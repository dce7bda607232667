import type { Database } from '../database/database.js'
import { isDamage } from '../database/sqlite-error.js'
import { TOKENS_VERSION, tokenize } from './tokens.js'

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

/**
 * The terms of texts, in tables of their own that hold nothing else and can always be built anew. Every method but
 * {@link next} belongs inside a write transaction.
 */
export class TextIndex {
  private readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  /** The least id that has yet to be indexed; undefined when nothing is missing. */
  get next(): number | undefined {
    const state = this.state
    return isUsable(state) ? (state.next ?? undefined) : 0
  }

  /** Notes that everything below `next` is indexed, or everything, if that is undefined. */
  set next(next: number | undefined) {
    this.database.run('UPDATE text_index SET next = ?', next ?? null)
  }

  /** Makes sure of an index, an empty one if need be. */
  prepare(): void {
    if (!isUsable(this.state)) this.clear()
  }

  /** Begins the index anew. */
  clear(): void {
    this.database.exec(`
      DROP TABLE IF EXISTS texts;
      DROP TABLE IF EXISTS text_index;
      CREATE VIRTUAL TABLE texts USING fts5 (terms, content = '', contentless_delete = 1, tokenize = 'ascii');
      CREATE TABLE text_index (version INTEGER NOT NULL, next INTEGER) STRICT;
    `)
    this.database.run('INSERT INTO text_index (version, next) VALUES (?, 0)', TOKENS_VERSION)
  }

  /** Indexes texts, again if they are already. */
  add(texts: readonly IndexedText[]): void {
    for (const { id, text } of texts) {
      this.database.run('INSERT OR REPLACE INTO texts (rowid, terms) VALUES (?, ?)', id, termsOf(text))
    }
  }

  /**
   * As {@link add}; but where the index is damaged, or belongs to a release with other terms, the texts are noted as
   * missing: what is stored must not depend on what is derived from it.
   */
  addOrMiss(texts: readonly IndexedText[]): void {
    const [first] = texts
    if (first === undefined) return
    const isNoted = this.unlessDamaged(() => {
      if (isUsable(this.state)) this.add(texts)
      else this.miss(first.id)
    })
    if (!isNoted) this.unlessDamaged(() => this.miss(first.id))
  }

  /** Forgets texts. What a damaged index keeps of them is found by nobody: a search asks for what is stored, too. */
  remove(ids: readonly number[]): void {
    this.unlessDamaged(() => {
      for (const id of ids) this.database.run('DELETE FROM texts WHERE rowid = ?', id)
    })
  }

  private miss(id: number): void {
    this.database.run('UPDATE text_index SET next = min(ifnull(next, ?1), ?1)', id)
  }

  /** @returns false when the index is damaged, of which `change` has then changed nothing */
  private unlessDamaged(change: () => void): boolean {
    this.database.exec('SAVEPOINT texts')
    try {
      change()
      // The end of an inner savepoint makes the index write what it holds in memory here, and not in the commit.
      this.database.exec('SAVEPOINT written; RELEASE written; RELEASE texts')
      return true
    } catch (error) {
      if (!isDamage(error)) throw error
      this.database.exec('ROLLBACK TO texts; RELEASE texts')
      return false
    }
  }

  private get state(): State | undefined {
    if (!this.database.get("SELECT 1 FROM sqlite_schema WHERE name = 'text_index'")) return undefined
    return this.database.get<State>('SELECT version, next FROM text_index')
  }
}

function isUsable(state: State | undefined): state is State {
  return state?.version === TOKENS_VERSION
}

function termsOf(text: string): string {
  const terms: string[] = []
  for (const { term } of tokenize(text.normalize('NFC'))) terms.push(term)
  return terms.join(' ')
}
