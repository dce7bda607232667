import { existsSync } from 'node:fs'
import { type MountedBackend, mountOurs, mountPeer, type PeerPackages } from '../persistence/backends.ts'

/** The backends that are compared. */
export const contestants = ['jsonl', 'sqlite', 'peer-sqlite'] as const

export type Contestant = (typeof contestants)[number]

/** A contestant, or none: the sessions stay in memory, for what they cost by themselves. */
export type Mountable = Contestant | 'none'

/** Those that are installed. */
export const installed: readonly Contestant[] = existsSync(new URL('./peer/node_modules', import.meta.url))
  ? contestants
  : ['jsonl', 'sqlite']

/** A mounted backend, which may be able to search. */
export interface SearchedBackend extends MountedBackend {
  search?(query: string): Promise<number>
}

/** Where a backend stores: in a directory, or in a database beside it. */
export function placeOf(name: Contestant, root: string): string {
  return name === 'jsonl' ? root : `${root}.db`
}

/** Mounts a backend on its place. */
export async function mount(name: Mountable, root: string): Promise<SearchedBackend> {
  if (name === 'none') return mountOurs()
  const place = placeOf(name, root)
  if (name === 'jsonl') return mountOurs((await import('@dsh/persistence-jsonl')).default, { root: place })
  if (name === 'sqlite') return mountOurs((await import('@dsh/persistence-sqlite')).default, { file: place })
  const peer = './peer/index.js'
  return mountPeer((await import(peer)) as PeerPackages, { path: place })
}
