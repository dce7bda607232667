/**
 * What is used of `@cordisjs/plugin-loader`. Its own typings belong to a Cordis whose `Fiber` is generic, and would change
 * that of this one in the whole program.
 */
import type { Context, Fiber } from 'cordis'

declare module 'cordis' {
  interface Context {
    loader: Loader
  }

  interface Events {
    'loader/patch-context'(entry: Entry, next: () => void): void
  }
}

/** A plugin in a file. */
export interface EntryOptions {
  readonly id?: string
  readonly name: string
  readonly config?: unknown
  readonly disabled?: boolean | null
  readonly inject?: unknown
  readonly isolate?: Readonly<Record<string, true | string>> | null
  readonly intercept?: Readonly<Record<string, unknown>> | null
}

export declare class Entry {
  readonly loader: Loader
  readonly ctx: Context
  readonly context: Context
  readonly parent: { readonly ctx: Context; readonly tree: Loader }
  readonly options: EntryOptions
  fiber?: Fiber
  constructor(loader: Loader)
  init(): Promise<void>
}

export declare class Loader {
  ctx: Context
  readonly config: { readonly baseUrl?: string }
  readonly store: Record<string, Entry>
  constructor(ctx: Context, config?: { readonly baseUrl?: string })
  /** Mounts an entry; resolves with its id. */
  create(options: EntryOptions): Promise<string>
  remove(id: string): void
  /** @throws Error for an id that is not mounted */
  resolve(id: string): Entry
  import(name: string): Promise<unknown>
  unwrapExports(exports: unknown): unknown
  /** Resolves when nothing starts or stops any more. */
  await(): Promise<void>
}

/** A value with its expressions evaluated. */
export declare function interpolate(ctx: Context, value: unknown): unknown
