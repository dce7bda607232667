import { SessionError } from '@dsh/session'

/** What a driver can do beyond its five operations, each with the optional {@link Driver} methods that it stands for. */
export const capabilities = {
  /** Full-text search: `search`, `rebuildSearch`. */
  search: ['search', 'rebuildSearch'],
  /** Word of events that another process stored: `observe`. */
  changeNotice: ['observe'],
  /** Removal that can be taken back: `trash`, `restore`, `list({ trashed: true })`, `remove(id, { trashed: true })`. */
  trash: ['trash', 'restore'],
  /** A stored fork that shares what it inherits: `fork`. */
  forkByReference: ['fork'],
  /** Reading around damage: `readTolerant`. */
  tolerantRead: ['readTolerant'],
  /** A place where the stored session can be looked at: `locate`. */
  rawArtifact: ['locate'],
  /** An answer without waiting whether an id is stored: `exists`. */
  existence: ['exists'],
} as const

/** One optional ability of a driver. */
export type Capability = keyof typeof capabilities

/** What a backend is called and can do; static, so that it can be read before anything is opened. */
export interface DriverManifest {
  /** For messages, for instance `jsonl`. */
  readonly name: string
  readonly capabilities: Readonly<Record<Capability, boolean>>
}

/** Makes a manifest; a capability that is not named is absent. */
export function defineManifest(name: string, ...present: readonly Capability[]): DriverManifest {
  const table = {} as Record<Capability, boolean>
  for (const capability of Object.keys(capabilities) as Capability[]) table[capability] = present.includes(capability)
  return Object.freeze({ name, capabilities: Object.freeze(table) })
}

/** @throws UNSUPPORTED when the backend lacks `capability` */
export function requireCapability(manifest: DriverManifest, capability: Capability): void {
  if (manifest.capabilities[capability]) return
  throw new SessionError('UNSUPPORTED', {
    expected: `a backend with the capability ${capability}`,
    found: `backend ${manifest.name}, which lacks it`,
    details: { capability, backend: manifest.name },
  })
}
