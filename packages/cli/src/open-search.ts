import type { SearchOptions, SearchPage } from '@dsh/persistence'
import { backend } from './backends.js'
import type { CommandContext } from './command.js'

/** A way to search the sessions of a root. */
export interface Search {
  find(query: string, options: SearchOptions): Promise<SearchPage>
  /** Derives the index anew. */
  rebuild(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the search of the backend, or else an index beside the sessions that is derived from them and never the truth.
 * @throws ROOT_NOT_FOUND, STORAGE_FAILED, UNSUPPORTED
 */
export async function openSearch({ store, driver, place }: CommandContext): Promise<Search> {
  const { persistence } = await store()
  const { index } = backend(place.backend)
  if (persistence.manifest.capabilities.search || index === undefined) {
    return {
      find: (query, options) => persistence.search(query, options),
      rebuild: () => persistence.rebuildSearch(),
      close: () => Promise.resolve(),
    }
  }
  const { SearchIndex } = await import('@dsh/persistence-sqlite')
  const derived = new SearchIndex({ file: index(place.root) })
  const sessions = await driver()
  return {
    find: (query, options) => derived.search(sessions, query, options),
    rebuild: () => derived.rebuild(sessions),
    close: () => derived.close(),
  }
}
