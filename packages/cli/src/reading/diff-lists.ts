/** One step from a list to another: an element of both, of the first only, or of the second only, by its position. */
export type Edit =
  | { readonly kind: 'same'; readonly a: number; readonly b: number }
  | { readonly kind: 'removed'; readonly a: number }
  | { readonly kind: 'added'; readonly b: number }

/**
 * The steps from `a` to `b` in order, by patience: what occurs once in both and in the same order stays, and what lies
 * between is compared in the same way. Takes no more than a small power of the length, however different the lists are.
 */
export function diffLists(a: readonly string[], b: readonly string[]): Edit[] {
  const edits: Edit[] = []
  const walk = (aFrom: number, aTo: number, bFrom: number, bTo: number) => {
    while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) edits.push({ kind: 'same', a: aFrom++, b: bFrom++ })
    let tail = 0
    while (aTo > aFrom && bTo > bFrom && a[aTo - 1] === b[bTo - 1]) {
      aTo--
      bTo--
      tail++
    }
    const anchors = findAnchors(a, b, [aFrom, aTo], [bFrom, bTo])
    if (anchors.length === 0) {
      for (let at = aFrom; at < aTo; at++) edits.push({ kind: 'removed', a: at })
      for (let at = bFrom; at < bTo; at++) edits.push({ kind: 'added', b: at })
    } else {
      let [aNext, bNext] = [aFrom, bFrom]
      for (const anchor of anchors) {
        walk(aNext, anchor.a, bNext, anchor.b)
        edits.push({ kind: 'same', ...anchor })
        aNext = anchor.a + 1
        bNext = anchor.b + 1
      }
      walk(aNext, aTo, bNext, bTo)
    }
    for (let at = 0; at < tail; at++) edits.push({ kind: 'same', a: aTo + at, b: bTo + at })
  }
  walk(0, a.length, 0, b.length)
  return edits
}

type Range = readonly [from: number, to: number]

interface Pair {
  readonly a: number
  readonly b: number
}

/** The longest run, in the order of both, of elements that occur once in each. */
function findAnchors(a: readonly string[], b: readonly string[], inA: Range, inB: Range): Pair[] {
  const aPositions = uniquePositions(a, inA)
  const bPositions = uniquePositions(b, inB)
  const pairs: Pair[] = []
  for (const [element, at] of aPositions) {
    const other = bPositions.get(element)
    if (at !== undefined && other !== undefined) pairs.push({ a: at, b: other })
  }
  return longestRising(pairs)
}

/** The position of each element that occurs once; undefined for those that occur again. */
function uniquePositions(list: readonly string[], [from, to]: Range): Map<string, number | undefined> {
  const positions = new Map<string, number | undefined>()
  for (let at = from; at < to; at++) positions.set(list[at]!, positions.has(list[at]!) ? undefined : at)
  return positions
}

/** Of pairs in the order of `a`, the longest selection that is in the order of `b`, too. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  const tops: { readonly pair: Pair; readonly before: number }[] = []
  const piles: number[] = []
  for (const pair of pairs) {
    let [low, high] = [0, piles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (tops[piles[middle]!]!.pair.b < pair.b) low = middle + 1
      else high = middle
    }
    piles[low] = tops.push({ pair, before: low === 0 ? -1 : piles[low - 1]! }) - 1
  }
  const rising: Pair[] = []
  for (let at = piles.at(-1) ?? -1; at >= 0; at = tops[at]!.before) rising.push(tops[at]!.pair)
  return rising.reverse()
}
