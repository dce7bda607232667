/** One branch of a file. */
export interface Branch {
  /** Whether the record of that ordinal belongs to the branch. */
  includes(ordinal: number): boolean
  /** The first record that the live branch does not share with this one; Infinity where it shares all. */
  readonly liveOnlyFrom: number
  /** The first record that this branch does not share with the live one. */
  readonly ownFrom: number
}

/** A node of the tree: one record, or several that belong together. */
interface Node {
  readonly parent: number
  /** Whether a part of the conversation is in it, and not only facts about it. */
  isSubstantial: boolean
  first: number
  last: number
}

const ROOT = -1

/**
 * The tree of a file whose records name their parents. Nodes may hold several records, such as an answer that was
 * written block by block with the results of its calls. What hangs on a node without any part of the conversation
 * behind it belongs to that node and is no branch.
 */
export class RecordTree {
  readonly #nodes: Node[] = []
  readonly #nodeOf: number[] = []

  /** Makes a node below another; without a parent it is a root. */
  node(parent: number | undefined): number {
    this.#nodes.push({ parent: parent ?? ROOT, isSubstantial: false, first: Number.POSITIVE_INFINITY, last: -1 })
    return this.#nodes.length - 1
  }

  /** Puts a record into a node. Records come in the order of the file. */
  put(ordinal: number, node: number, isSubstantial: boolean): void {
    this.#nodeOf[ordinal] = node
    const entry = this.#nodes[node]!
    entry.isSubstantial ||= isSubstantial
    entry.first = Math.min(entry.first, ordinal)
    entry.last = ordinal
  }

  nodeOf(ordinal: number): number | undefined {
    return this.#nodeOf[ordinal]
  }

  /** How many nodes there are. */
  get size(): number {
    return this.#nodes.length
  }

  /**
   * The branches.
   * @param ends which record the live branch ends with: the last of all, or the last with a part of the conversation
   */
  plan(ends: 'last record' | 'last message'): readonly Branch[] {
    const carries = this.#carries()
    const anchors = this.#nodes.map((_, node) => this.#anchor(node, carries))
    // What hangs on no node at all goes with the live branch.
    const live = this.#path(this.#liveEnd(ends, anchors)).add(ROOT)
    const leaves = this.#leaves(carries).filter(leaf => !live.has(leaf))
    return [live, ...leaves.map(leaf => this.#path(leaf))].map(path => this.#branch(path, live, anchors))
  }

  /** Whether a node or one below it is substantial. */
  #carries(): boolean[] {
    const carries = this.#nodes.map(node => node.isSubstantial)
    for (let node = this.#nodes.length - 1; node >= 0; node--) {
      const { parent } = this.#nodes[node]!
      if (carries[node] && parent !== ROOT) carries[parent] = true
    }
    return carries
  }

  /** The nearest node, upwards, that is part of a branch. */
  #anchor(from: number, carries: readonly boolean[]): number {
    let node = from
    while (node !== ROOT && !carries[node]) node = this.#nodes[node]!.parent
    return node
  }

  #liveEnd(ends: 'last record' | 'last message', anchors: readonly number[]): number {
    let end = ROOT
    let last = -1
    this.#nodes.forEach((node, index) => {
      if (node.last <= last || (ends === 'last message' && !node.isSubstantial)) return
      last = node.last
      end = anchors[index]!
    })
    return end
  }

  #leaves(carries: readonly boolean[]): number[] {
    const isInner = new Set(this.#nodes.flatMap((node, index) => (carries[index] ? [node.parent] : [])))
    return this.#nodes.flatMap((_, index) => (carries[index] && !isInner.has(index) ? [index] : []))
  }

  #path(leaf: number): Set<number> {
    const path = new Set<number>()
    for (let node = leaf; node !== ROOT; node = this.#nodes[node]!.parent) path.add(node)
    return path
  }

  #branch(path: ReadonlySet<number>, live: ReadonlySet<number>, anchors: readonly number[]): Branch {
    const nodeOf = this.#nodeOf
    return {
      includes(ordinal) {
        const node = nodeOf[ordinal]
        return node !== undefined && path.has(anchors[node]!)
      },
      liveOnlyFrom: this.#first(live, path),
      ownFrom: this.#first(path, live),
    }
  }

  #first(nodes: ReadonlySet<number>, except: ReadonlySet<number>): number {
    let first = Number.POSITIVE_INFINITY
    for (const node of nodes) {
      if (node !== ROOT && !except.has(node)) first = Math.min(first, this.#nodes[node]!.first)
    }
    return first
  }
}
