import { Entry, Loader } from '@cordisjs/plugin-loader'
import { Context, type Fiber, type Plugin } from 'cordis'
import type { StackEntry } from './entry.ts'
import { evaluate } from './evaluate.ts'
import { inTime } from './time-limit.ts'

/** The state of a plugin that starts; Cordis declares it, and exports no value. */
const LOADING = 1

/** Cordis' loader, for entries whose failures must reach those who mount them. */
export class StackLoader extends Loader {
  /** Milliseconds that a plugin may take to start. */
  startMs = 30_000

  /** Names are looked up from here, and not from where the loader is installed. */
  override import(name: string): Promise<unknown> {
    return import(name.startsWith('.') ? new URL(name, this.config.baseUrl).href : name)
  }

  /** The plugin that an entry names. */
  async pluginOf({ name }: StackEntry): Promise<unknown> {
    return this.unwrapExports(await this.import(name))
  }

  /** The loader's own takes a colon for the path into another loader. */
  override resolve(id: string): Entry {
    return this.store[id] ?? super.resolve(id)
  }

  /** Mounts an entry; one that waits for a service is left waiting. @throws as its plugin */
  async mount(options: StackEntry): Promise<void> {
    // The loader keeps what it is given, and writes into it.
    const own = structuredClone(options)
    const entry = new MountedEntry(this)
    this.store[options.id] = entry
    try {
      await entry.inTime(this.create(own))
    } catch (error) {
      // What went wrong is the cause, and not what else does.
      await this.unmount(options).catch(() => {})
      throw error
    }
  }

  /** Whether the plugin of an entry has begun to start, and not ended. */
  isStarting({ id }: StackEntry): boolean {
    return this.store[id]?.fiber?.state === LOADING
  }

  /** Takes an entry out, if it is still in; resolves when its plugin has stopped. */
  async unmount({ id }: StackEntry): Promise<void> {
    const entry = this.store[id] as MountedEntry | undefined
    if (entry?.fiber !== undefined) {
      const isStarting = entry.fiber.state === LOADING
      // Removing does not wait, and what has begun cannot be waited for any more.
      const stopping = Promise.resolve(entry.fiber.dispose())
      // It does not stop before it has started, and perhaps it never will.
      if (isStarting && !entry.isLate) await entry.inTime(stopping).catch(() => {})
      if (!isStarting) await stopping
    }
    if (this.store[id] !== undefined) this.remove(id)
  }

  /** The services that a mounted entry needs. */
  needsOf(id: string): string[] {
    return Object.keys(this.store[id]?.fiber?.inject ?? {})
  }

  /** The id of the entry that provides a service to the application; undefined where nobody or somebody else does. */
  providerOf(service: string): string | undefined {
    const impl = this.ctx.reflect.store[this.ctx[Context.isolate][service]!]
    // By number: what mounting returns is not the fiber itself.
    const idOf = ({ uid }: Fiber) => Object.keys(this.store).find(id => this.store[id]!.fiber?.uid === uid)
    // The plugin of an entry can have mounted the one that provides it.
    let fiber = impl?.fiber
    while (fiber !== undefined && idOf(fiber) === undefined) {
      const above: Fiber = fiber.parent.fiber
      fiber = above === fiber ? undefined : above
    }
    return fiber && idOf(fiber)
  }

  /** The services that an entry waits for. @throws what its plugin failed with, be it later */
  async missing({ id }: StackEntry): Promise<string[]> {
    const entry = this.store[id] as MountedEntry | undefined
    const fiber = entry?.fiber
    if (fiber === undefined) return []
    await entry!.inTime(fiber.await())
    return Object.keys(fiber.inject).filter(name => fiber.ctx.get(name) === undefined)
  }
}

/** The loader's own leaves the failure of a plugin to nobody, which ends the process. */
class MountedEntry extends Entry {
  /** Whether its plugin was given up before it had started. */
  isLate = false

  inTime<T>(step: Promise<T>): Promise<T> {
    return inTime(step, (this.loader as StackLoader).startMs, () => {
      this.isLate = true
    })
  }

  override async init(): Promise<void> {
    const { loader, options, parent } = this
    const plugin = loader.unwrapExports(await parent.tree.import(options.name)) as Plugin
    if (this.isLate) return
    this.context.waterfall('loader/patch-context', this, () => void Object.setPrototypeOf(this.ctx, parent.ctx))
    this.fiber = this.ctx.plugin(plugin, evaluate(this.ctx, options.config))
    await this.fiber.await()
  }
}
