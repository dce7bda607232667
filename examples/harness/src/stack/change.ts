import { isDeepStrictEqual } from 'node:util'
import { type ErrorPlace, SessionError } from '@dsh/session'
import type { PlacedEntry } from './entry.ts'
import type { StackLoader } from './loader.ts'

/** What an application needs of the plugins that a file names. */
export interface StackNeeds {
  /** The services that have to be provided. */
  readonly services?: readonly string[]
  /** Those of them whose plugin has to stay as long as the application runs. */
  readonly kept?: readonly string[]
  /** Milliseconds that a plugin may take to be imported, and then to start. Default 30000. */
  readonly startMs?: number
}

/** From the entries that are mounted to those that are to be: an entry that differs in anything goes, and comes. */
export class Change {
  readonly gone: readonly PlacedEntry[]
  readonly come: readonly PlacedEntry[]
  readonly stays: readonly PlacedEntry[]
  readonly #next: readonly PlacedEntry[]

  constructor(former: readonly PlacedEntry[], next: readonly PlacedEntry[]) {
    const isMounted = isIn(former)
    const isWanted = isIn(next)
    this.gone = former.filter(entry => !isWanted(entry))
    this.come = next.filter(entry => !isMounted(entry))
    this.stays = next.filter(isMounted)
    this.#next = next
  }

  /**
   * Looks whether services would be lost, while everything still runs.
   * @throws INVALID_CONFIG for a plugin that has to stay, and for a service that is needed and would have no provider
   */
  async check(loader: StackLoader, file: string, { services = [], kept = [] }: StackNeeds): Promise<void> {
    for (const service of kept) this.#keep(loader, file, service)
    for (const service of services) await this.#require(loader, service, { file })
    const looked = new Set(services)
    for (const { options, place } of this.stays) {
      for (const service of loader.needsOf(options.id)) {
        if (options.isolate?.[service] || looked.has(service)) continue
        looked.add(service)
        await this.#require(loader, service, { plugin: options.name, ...place })
      }
    }
  }

  /** The plugin that provides a service stays, and what that needs, too: it would restart. */
  #keep(loader: StackLoader, file: string, service: string, looked = new Set<string>()): void {
    const lost = this.#lostProvider(loader, service)
    if (lost !== undefined) {
      const { name: plugin } = lost.options
      const changed = this.#next.find(({ options }) => options.name === plugin)
      throw new SessionError('INVALID_CONFIG', {
        expected: `the entry that provides ${service} as it was, for it is in use; a restart can change it`,
        found: changed === undefined ? 'none' : 'a changed one',
        plugin,
        file,
        ...changed?.place,
      })
    }
    const id = loader.providerOf(service)
    if (id === undefined || looked.has(id)) return
    looked.add(id)
    for (const need of loader.needsOf(id)) this.#keep(loader, file, need, looked)
  }

  #lostProvider(loader: StackLoader, service: string): PlacedEntry | undefined {
    const id = loader.providerOf(service)
    return this.gone.find(({ options }) => options.id === id)
  }

  async #require(loader: StackLoader, service: string, place: ErrorPlace): Promise<void> {
    if (this.#lostProvider(loader, service) === undefined) return
    for (const { options } of this.come) {
      if (options.disabled || options.isolate?.[service]) continue
      const declared = providedBy(await loader.pluginOf(options))
      if (declared === undefined || declared.includes(service)) return
    }
    throw noProvider([service], place)
  }
}

/** What a plugin says that it provides; undefined where it says nothing. */
function providedBy(plugin: unknown): readonly string[] | undefined {
  const { provide } = plugin as { readonly provide?: string | readonly string[] }
  return typeof provide === 'string' ? [provide] : provide
}

function isIn(entries: readonly PlacedEntry[]): (entry: PlacedEntry) => boolean {
  const byId = new Map(entries.map(({ options }) => [options.id, options]))
  return ({ options }) => isDeepStrictEqual(byId.get(options.id), options)
}

/** Services that nobody provides. */
export function noProvider(services: readonly string[], place: ErrorPlace): SessionError {
  const expected = `a plugin that provides ${services.join(' and ')}`
  return new SessionError('INVALID_CONFIG', { expected, found: 'none', ...place })
}
