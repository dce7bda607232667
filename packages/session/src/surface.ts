import type { SurfaceOp } from './event.js'
import { conflict } from './surface-op.js'

/** An entry of the surface with its neighbours' seqs, `null` at the ends. */
export interface SurfaceNode {
  readonly seq: number
  readonly prev: number | null
  readonly next: number | null
}

/** Live read-only view of the messages that the model sees. */
export interface SessionSurface {
  /** Seqs of the surface events in model-visible order: a frozen snapshot, reused until the surface changes. */
  readonly nodes: readonly number[]
  /** How many replacements were committed. It tells growth at the tail from a rewrite. */
  readonly replaceGeneration: number
  /** The entry of `seq`, or undefined when `seq` is not on the current surface. */
  node(seq: number): SurfaceNode | undefined
}

/**
 * A link of the list. `order` grows along the list and never has to be rebalanced: the list grows at its tail only, and
 * a replacement takes the order of the first link that it shadows.
 */
export interface SurfaceLink {
  readonly seq: number
  readonly order: number
  prev: SurfaceLink | undefined
  next: SurfaceLink | undefined
}

/** The links from `first` through `last` and how many they are. */
export interface SurfaceRange {
  readonly first: SurfaceLink
  readonly last: SurfaceLink
}

/** Told of every replacement, after the new link is in place. */
export type ReplaceListener = (range: SurfaceRange, link: SurfaceLink) => void

/** The surface: a linked list indexed by seq. Appending is O(1); replacing costs what it shadows. */
export class Surface implements SessionSurface {
  #links = new Map<number, SurfaceLink>()
  #head: SurfaceLink | undefined
  #tail: SurfaceLink | undefined
  #nodes: readonly number[] | undefined
  replaceGeneration = 0
  onReplace: ReplaceListener | undefined

  get head(): SurfaceLink | undefined {
    return this.#head
  }

  get size(): number {
    return this.#links.size
  }

  get nodes(): readonly number[] {
    if (this.#nodes === undefined) {
      const nodes: number[] = []
      for (let link = this.#head; link !== undefined; link = link.next) nodes.push(link.seq)
      this.#nodes = Object.freeze(nodes)
    }
    return this.#nodes
  }

  node(seq: number): SurfaceNode | undefined {
    const link = this.#links.get(seq)
    return link && { seq, prev: link.prev?.seq ?? null, next: link.next?.seq ?? null }
  }

  /**
   * The links that a replacement by event `seq` would shadow.
   * @throws SURFACE_CONFLICT when an end is not on the surface, or the ends are in the wrong order
   */
  range(seq: number, op: { readonly start: number; readonly end: number }): SurfaceRange {
    const first = this.#links.get(op.start)
    const last = this.#links.get(op.end)
    if (first === undefined) throw conflict(seq, 'a seq on the current surface', `${op.start}`, 'surfaceOp.start')
    if (last === undefined) throw conflict(seq, 'a seq on the current surface', `${op.end}`, 'surfaceOp.end')
    if (first.order > last.order) {
      throw conflict(seq, `a seq at or behind ${op.start} on the surface`, `${op.end}`, 'surfaceOp.end')
    }
    return { first, last }
  }

  /** Applies the committed event `seq`. @throws SURFACE_CONFLICT as {@link Surface.range}, before anything changes */
  apply(seq: number, op: SurfaceOp): void {
    if (op === 'append') this.#append(seq)
    else this.#replace(seq, this.range(seq, op))
    this.#nodes = undefined
  }

  #append(seq: number): void {
    const prev = this.#tail
    const link: SurfaceLink = { seq, order: prev === undefined ? 0 : prev.order + 1, prev, next: undefined }
    if (prev === undefined) this.#head = link
    else prev.next = link
    this.#tail = link
    this.#links.set(seq, link)
  }

  #replace(seq: number, range: SurfaceRange): void {
    for (const link of rangeLinks(range)) this.#links.delete(link.seq)
    const { first, last } = range
    const link: SurfaceLink = { seq, order: first.order, prev: first.prev, next: last.next }
    if (link.prev === undefined) this.#head = link
    else link.prev.next = link
    if (link.next === undefined) this.#tail = link
    else link.next.prev = link
    this.#links.set(seq, link)
    this.replaceGeneration++
    this.onReplace?.(range, link)
  }
}

/** The links of a range, in surface order. */
export function rangeLinks(range: SurfaceRange): SurfaceLink[] {
  const links: SurfaceLink[] = []
  for (let link: SurfaceLink | undefined = range.first; link !== undefined; link = link.next) {
    links.push(link)
    if (link === range.last) break
  }
  return links
}
