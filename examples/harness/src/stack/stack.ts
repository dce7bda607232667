import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { isSessionError, locateError, SessionError } from '@dsh/session'
import type { Context } from 'cordis'
import { describeError } from '../terminal/describe.ts'
import { Change, noProvider, type StackNeeds } from './change.ts'
import { checkEntry } from './check.ts'
import { type PlacedEntry, readEntries, type StackEntry } from './entry.ts'
import { StackLoader } from './loader.ts'
import { inTime } from './time-limit.ts'

declare module 'cordis' {
  interface Context {
    /** What a file has mounted; only there if one has. */
    stack: Stack
  }
}

/** The plugins that a file names, mounted, and exchanged when the file changes. */
export class Stack {
  /** The file, absolute. */
  readonly file: string
  readonly #loader: StackLoader
  readonly #needs: StackNeeds
  /** What is mounted, by id. */
  readonly #entries = new Map<string, PlacedEntry>()
  #changing: Promise<unknown> = Promise.resolve()
  #isClosed = false

  private constructor(loader: StackLoader, file: string, needs: StackNeeds) {
    this.#loader = loader
    this.file = file
    this.#needs = needs
  }

  /**
   * Mounts the plugins of a file.
   * @param file absolute
   * @param needs what they have to provide
   * @throws INVALID_CONFIG with file and line, and then nothing is mounted; what a plugin fails with
   */
  static async mount(ctx: Context, file: string, needs: StackNeeds = {}): Promise<Stack> {
    const mounted = ctx.plugin(StackLoader, { baseUrl: pathToFileURL(file).href })
    await mounted
    const loader = ctx.loader as StackLoader
    loader.startMs = needs.startMs ?? loader.startMs
    const stack = new Stack(loader, file, needs)
    try {
      await stack.reload()
    } catch (error) {
      await mounted.dispose()
      throw error
    }
    ctx.provide('stack', stack)
    return stack
  }

  /**
   * Reads the file again, and exchanges the plugins whose entries have changed: first those that go are stopped, then
   * those that come are started.
   * @returns the names of what has gone and come; nothing does once the stack is closed
   * @throws as {@link Stack.mount}; what was mounted before stays, or is mounted again
   */
  reload(): Promise<StackChange> {
    if (this.#isClosed) return Promise.resolve({ gone: [], come: [] })
    const change = this.#changing.then(() => this.#reload())
    this.#changing = change.catch(() => {})
    return change
  }

  /** Resolves when the changes that were asked for have ended. None comes after them; the plugins go on. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#changing
  }

  async #reload(): Promise<StackChange> {
    const former = [...this.#entries.values()]
    const next = readEntries(await this.#read(), this.file)
    for (const entry of next) {
      await inTime(checkEntry(this.#loader, entry), this.#loader.startMs).catch(error => {
        throw placed(error, entry)
      })
    }
    await new Change(former, next).check(this.#loader, this.file, this.#needs)
    try {
      const change = await this.#exchange(next)
      await this.#requireServices()
      return change
    } catch (error) {
      await this.#restore(former).catch(again => {
        const message = `${describeError(error)}; what was there before does not start either: ${describeError(again)}`
        throw new AggregateError([error, again], message)
      })
      throw error
    }
  }

  async #restore(former: readonly PlacedEntry[]): Promise<void> {
    // The provider of a service stops after those that use it, and what still starts perhaps never ends to.
    for (const { options } of [...this.#entries.values()].reverse()) {
      if (this.#loader.isStarting(options)) await this.#unmount(options)
    }
    await this.#exchange(former)
  }

  #read(): Promise<string> {
    return readFile(this.file, 'utf8').catch(cause => {
      throw new SessionError('INVALID_CONFIG', {
        expected: 'a file that can be read',
        found: cause.message,
        file: this.file,
        cause,
      })
    })
  }

  async #exchange(next: readonly PlacedEntry[]): Promise<StackChange> {
    const { gone, come, stays } = new Change([...this.#entries.values()], next)
    for (const { options } of gone.toReversed()) await this.#unmount(options)
    // Their lines may have changed.
    for (const entry of stays) this.#entries.set(entry.options.id, entry)
    for (const entry of come) {
      await this.#loader.mount(entry.options).catch(error => {
        throw placed(error, entry)
      })
      this.#entries.set(entry.options.id, entry)
    }
    const names = (entries: readonly PlacedEntry[]) => entries.map(({ options }) => options.name)
    return { gone: names(gone), come: names(come) }
  }

  async #unmount(options: StackEntry): Promise<void> {
    await this.#loader.unmount(options)
    // One by one: should one fail, it is known what is mounted.
    this.#entries.delete(options.id)
  }

  /** Every plugin has what it waits for, and the application what it needs. */
  async #requireServices(): Promise<void> {
    for (const entry of this.#entries.values()) {
      const missing = await this.#loader.missing(entry.options).catch(error => {
        throw placed(error, entry)
      })
      if (missing.length > 0) throw noProvider(missing, { plugin: entry.options.name, ...entry.place })
    }
    const { services = [] } = this.#needs
    const missing = services.filter(name => this.#loader.ctx.get(name) === undefined)
    if (missing.length > 0) throw noProvider(missing, { file: this.file })
  }
}

/** The names of plugins that were exchanged. */
export interface StackChange {
  readonly gone: readonly string[]
  readonly come: readonly string[]
}

/** The failure of a plugin, with its entry; an error that tells of a file of its own keeps that. */
function placed(error: unknown, { options: { name: plugin }, place }: PlacedEntry): unknown {
  if (isSessionError(error)) return locateError(error, { plugin, ...(error.file === undefined && place) })
  const found = describeError(error)
  const [, service, other] = /^service "(.*)" has been registered at <(.*)>$/.exec(found) ?? []
  return new SessionError('INVALID_CONFIG', {
    ...(service === undefined
      ? { expected: 'a plugin that starts', found }
      : {
          expected: `one plugin that provides ${service}, or \`isolate: { ${service}: true }\` in the entry of this one`,
          found: `${other} beside it`,
        }),
    plugin,
    ...place,
    cause: error,
  })
}
