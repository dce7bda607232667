import type { TextIndex } from '../search/text-index.js'
import type { Database } from './database.js'

/** What every operation works on. */
export interface Store {
  readonly database: Database
  readonly index: TextIndex
}
