import type { Backend, Capability, Driver } from '@dsh/persistence/driver'
import { capabilities, defineManifest } from '@dsh/persistence/driver'
import { SearchIndex, type SearchIndexOptions } from './search-index.js'
import type { StartHost } from './thread.js'

/**
 * A backend that can search what it stores, made of one that cannot: beside it lies an index that is derived from the
 * sessions, brought up to date before each search, and never the truth.
 */
export function searchableBackend(backend: Backend, options: SearchIndexOptions, start?: StartHost): Backend {
  const { name } = backend.manifest
  const present = (Object.keys(capabilities) as Capability[]).filter(each => backend.manifest.capabilities[each])
  return {
    manifest: defineManifest(name, ...present, 'search'),
    async connect() {
      const index = new SearchIndex(options, start)
      return withSearch(await backend.connect(), index)
    },
  }
}

function withSearch(driver: Driver, index: SearchIndex): Driver {
  const added: Pick<Driver, 'search' | 'rebuildSearch' | 'close'> = {
    search: (query, options) => index.search(driver, query, options),
    rebuildSearch: () => index.rebuild(driver),
    async close() {
      await index.close()
      await driver.close()
    },
  }
  return new Proxy(driver, {
    get(target, key) {
      if (Object.hasOwn(added, key)) return added[key as keyof typeof added]
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
