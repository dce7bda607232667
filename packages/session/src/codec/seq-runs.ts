import { describeValue } from '../describe.js'
import { invalidRow } from './invalid-row.js'
import { isNatural } from './line-guards.js'

/** Three consecutive seqs written as a run are never longer than one by one; two always are. */
const SHORTEST_RUN = 3

/** No log cites more than this; it bounds what a few forged bytes can make a reader allocate. */
const MOST_SOURCES = 2 ** 24

const path = 'sourceEventSeqs'

/** The JSON text of `seqs` with ascending consecutive stretches as runs: `[7,120,121,122]` becomes `[7,[120,122]]`. */
export function encodeSeqRuns(seqs: readonly number[]): string {
  let text = ''
  for (let from = 0; from < seqs.length; ) {
    let to = from + 1
    while (to < seqs.length && seqs[to] === seqs[to - 1]! + 1) to++
    if (to - from < SHORTEST_RUN) to = from + 1
    const entry = to === from + 1 ? seqs[from] : `[${seqs[from]},${seqs[to - 1]}]`
    text += from === 0 ? entry : `,${entry}`
    from = to
  }
  return `[${text}]`
}

/**
 * The seqs that {@link encodeSeqRuns} wrote, in their order, frozen.
 * @param value the parsed JSON
 * @param seq that of the event that cites them; as sources are earlier and unique, it bounds their number
 * @throws INVALID_EVENT
 */
export function expandSeqRuns(value: unknown, seq: number): readonly number[] {
  if (!Array.isArray(value)) throw invalidRow('a list of seqs and runs', describeValue(value), { seq, path })
  const most = Math.min(seq, MOST_SOURCES)
  const seqs: number[] = []
  for (let index = 0; index < value.length; index++) {
    const entry: unknown = value[index]
    const [first, last] = isNatural(entry) ? [entry, entry] : readRun(entry, index, seq)
    if (seqs.length + last - first >= most) {
      throw invalidRow(`at most ${most} sources`, 'more', { seq, path: `${path}[${index}]` })
    }
    for (let source = first; source <= last; source++) seqs.push(source)
  }
  return Object.freeze(seqs)
}

function readRun(entry: unknown, index: number, seq: number): [number, number] {
  if (Array.isArray(entry) && entry.length === 2) {
    const [start, end] = entry as unknown[]
    if (isNatural(start) && isNatural(end) && start < end) return [start, end]
  }
  const found = Array.isArray(entry) ? `[${entry.slice(0, 3).map(describeValue).join()}]` : describeValue(entry)
  throw invalidRow('a seq, or a run [first, last] of ascending seqs', found, { seq, path: `${path}[${index}]` })
}
