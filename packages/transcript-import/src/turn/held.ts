/** Something to be written later. */
export interface HeldItem {
  /** The call that it answers; absent where it is no answer. */
  readonly callId?: string
  readonly write: () => void
}

/**
 * What came between a call and its answer, in order. The log wants the answer first, as every provider does.
 */
export class HeldItems {
  #items: HeldItem[] = []

  get size(): number {
    return this.#items.length
  }

  push(item: HeldItem): void {
    this.#items.push(item)
  }

  insert(index: number, item: HeldItem): void {
    this.#items.splice(index, 0, item)
  }

  /** Whether an answer to the call is among the items. */
  answers(callId: string): boolean {
    return this.#items.some(item => item.callId === callId)
  }

  /** The next item in order; with `calls`, the first that answers one of them. */
  take(calls?: { has(callId: string): boolean }): HeldItem | undefined {
    if (calls === undefined) return this.#items.shift()
    const index = this.#items.findIndex(({ callId }) => callId !== undefined && calls.has(callId))
    return index < 0 ? undefined : this.#items.splice(index, 1)[0]
  }
}
