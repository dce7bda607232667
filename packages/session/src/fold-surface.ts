import type { SessionEvent } from './event.js'
import { rangeLinks, Surface } from './surface.js'
import { isSurfaceEvent } from './surface-op.js'

/** One replacement met while folding a surface. */
export interface SurfaceFoldReplacement {
  /** Seq of the event that replaced the range. */
  readonly seq: number
  /** First seq of the range as declared. */
  readonly start: number
  /** Last seq of the range as declared. */
  readonly end: number
  /** The seqs that the replacement removed, in surface order. */
  readonly shadowedSeqs: number[]
}

/** What a replay of the surface operations of a log gives. */
export interface SurfaceFoldResult {
  /** Seqs on the surface, in the order in which the model sees them. */
  readonly nodes: number[]
  /** The replacements, in the order of their events. */
  readonly replacements: SurfaceFoldReplacement[]
}

/**
 * Replays the surface operations of `events` from an empty surface.
 * @throws SURFACE_CONFLICT when a replacement names a range that is not there
 */
export function foldSurface(events: Iterable<SessionEvent>): SurfaceFoldResult {
  const surface = new Surface()
  const replacements: SurfaceFoldReplacement[] = []
  for (const event of events) {
    if (!isSurfaceEvent(event) || event.surfaceOp === undefined) continue
    const { seq, surfaceOp } = event
    if (surfaceOp !== 'append') {
      const { start, end } = surfaceOp
      const shadowedSeqs = rangeLinks(surface.range(seq, surfaceOp)).map(link => link.seq)
      replacements.push({ seq, start, end, shadowedSeqs })
    }
    surface.apply(seq, surfaceOp)
  }
  return { nodes: [...surface.nodes], replacements }
}
