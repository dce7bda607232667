/**
 * Where the events of a source lie in the log that is made of it. They have the same numbers unless something was damaged
 * or put in between, so only the places where the distance changes are kept.
 */
export class SeqMap {
  readonly #runs: { readonly from: number; readonly to: number; length: number }[] = []

  /** @param source number in the source, above all before it */
  add(source: number, seq: number): void {
    const last = this.#runs.at(-1)
    if (last !== undefined && source === last.from + last.length && seq === last.to + last.length) last.length++
    else this.#runs.push({ from: source, to: seq, length: 1 })
  }

  /** The number in the log; undefined for an event that did not come into it. */
  get(source: number): number | undefined {
    let [low, high] = [0, this.#runs.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const { from, to, length } = this.#runs[middle]!
      if (source < from) high = middle - 1
      else if (source >= from + length) low = middle + 1
      else return to + source - from
    }
    return undefined
  }
}
