import type { Command, Failure, HookName, Id, Owner } from './lifecycle-commands.js'

/** What a listener in front of the failing one hears, and one behind it. */
export interface Journals {
  readonly before: string[]
  readonly behind: string[]
}

interface Entry {
  /** Absent for sessions that were entered by hand. */
  readonly owner: Owner | undefined
  announced: boolean
  seq: number
  /** Events that wait for the announcement. */
  readonly waiting: number[]
}

/** The store as it should be, in a few lines and without an event system. */
export class StoreModel {
  readonly journals: Journals = { before: [], behind: [] }
  readonly live = new Map<Id, Entry>()
  /** Ids of sessions that somebody holds, live or not. */
  readonly #known = new Set<Id>()
  readonly #armed = new Map<HookName, Failure>()
  readonly #stays: { readonly id: Id; readonly entry: Entry }[] = []

  /** Does it; returns `ok`, `veto`, or the code of the error. */
  run(command: Command): string {
    switch (command.do) {
      case 'create':
        return this.#enter(command.id, command.owner, 0)
      case 'enter':
        return this.#enter(command.id, undefined, 0)
      case 'fork': {
        const parent = this.live.get(command.source)
        return parent === undefined ? 'SESSION_NOT_FOUND' : this.#enter(command.id, command.owner, parent.seq)
      }
      case 'announce':
        return this.#announce(command.id)
      case 'append':
        return this.#known.has(command.id) ? this.#append(command.id) : 'ok'
      case 'flush':
        return this.#flush(command.id)
      case 'detach':
        return this.#detach(command.stay)
      case 'dispose':
        return this.#dispose(command.owner)
      case 'arm':
        this.#armed.set(command.hook, command.failure)
        return 'ok'
    }
  }

  #enter(id: Id, owner: Owner | undefined, seq: number): string {
    if (this.live.has(id)) return 'SESSION_ALREADY_EXISTS'
    const entry: Entry = { owner, announced: false, seq, waiting: [] }
    this.live.set(id, entry)
    if (owner !== undefined && this.#announce(id) === 'veto') return 'veto'
    if (owner === undefined) this.#stays.push({ id, entry })
    this.#known.add(id)
    return 'ok'
  }

  #announce(id: Id): string {
    const entry = this.live.get(id)
    if (entry === undefined) return 'SESSION_NOT_LIVE'
    if (entry.announced) return 'ok'
    if (this.#fires('internal/dispatch') === 'throw') {
      this.live.delete(id)
      return 'veto'
    }
    entry.announced = true
    this.journals.before.push(`created ${id}`)
    if (this.#fires('session/created') === 'throw') {
      this.#remove(id)
      return 'veto'
    }
    this.journals.behind.push(`created ${id}`)
    for (const seq of entry.waiting) this.#publish(id, seq)
    return 'ok'
  }

  #append(id: Id): string {
    const entry = this.live.get(id)
    if (entry === undefined) return 'SESSION_NOT_LIVE'
    if (this.#fires('internal/dispatch') === 'throw') return 'veto'
    const seq = entry.seq++
    if (entry.announced) this.#publish(id, seq)
    else entry.waiting.push(seq)
    return 'ok'
  }

  #publish(id: Id, seq: number): void {
    this.#fires('session/event')
    this.#tell(`event ${id} ${seq}`)
  }

  #flush(id: Id): string {
    if (!this.live.has(id)) return 'SESSION_NOT_LIVE'
    if (this.#fires('internal/dispatch') === 'throw') return 'veto'
    this.#tell(`flush ${id}`)
    return this.#fires('session/flush') === undefined ? 'ok' : 'veto'
  }

  #detach(stay: number): string {
    const { id, entry } = this.#stays[stay] ?? {}
    if (id !== undefined && this.live.get(id) === entry) this.#remove(id)
    return 'ok'
  }

  #dispose(owner: Owner): string {
    const owned = [...this.live].filter(([, entry]) => entry.owner === owner).map(([id]) => id)
    for (const id of [...owned].reverse()) this.#flush(id)
    for (const id of owned) this.#remove(id)
    return 'ok'
  }

  #remove(id: Id): void {
    const { announced } = this.live.get(id)!
    this.live.delete(id)
    if (!announced || this.#fires('internal/dispatch') === 'throw') return
    this.#fires('session/disposed')
    this.#tell(`disposed ${id}`)
  }

  #tell(line: string): void {
    this.journals.before.push(line)
    this.journals.behind.push(line)
  }

  /** The failure that waits for `hook`, which is then used up. */
  #fires(hook: HookName): Failure | undefined {
    const failure = this.#armed.get(hook)
    this.#armed.delete(hook)
    return failure
  }
}
