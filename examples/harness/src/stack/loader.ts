import { Entry, Loader } from '@cordisjs/plugin-loader'
import { Context, type Fiber, type Plugin } from 'cordis'
import type { StackEntry } from './entry.ts'
import { evaluate } from './evaluate.ts'

/** Cordis' loader, for entries whose failures must reach those who mount them. */
export class StackLoader extends Loader {
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
    this.store[options.id] = new MountedEntry(this)
    try {
      await this.create(own)
    } catch (error) {
      // What went wrong is the cause, and not what else does.
      await this.unmount(options).catch(() => {})
      throw error
    }
  }

  /** Takes an entry out, if it is still in; resolves when its plugin has stopped. */
  async unmount({ id }: StackEntry): Promise<void> {
    // Removing does not wait, and what has begun cannot be waited for any more.
    await this.store[id]?.fiber?.dispose()
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
    const fiber = this.store[id]?.fiber
    if (fiber === undefined) return []
    await fiber.await()
    return Object.keys(fiber.inject).filter(name => fiber.ctx.get(name) === undefined)
  }
}

/** The loader's own leaves the failure of a plugin to nobody, which ends the process. */
class MountedEntry extends Entry {
  override async init(): Promise<void> {
    const { loader, options, parent } = this
    const plugin = loader.unwrapExports(await parent.tree.import(options.name)) as Plugin
    this.context.waterfall('loader/patch-context', this, () => void Object.setPrototypeOf(this.ctx, parent.ctx))
    this.fiber = this.ctx.plugin(plugin, evaluate(this.ctx, options.config))
    await this.fiber.await()
  }
}
