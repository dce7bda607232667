import type { SessionEvent, SurfaceIntent } from '../event.js'
import { encodeSeqRuns } from './seq-runs.js'

/**
 * The stored line of one event. The key order is part of the format: what a reader needs before it decides to parse the
 * payload comes first.
 * @param event one that the log has accepted
 */
export function encodeEvent(event: SessionEvent): string {
  const { surfaceOp, sourceEventSeqs } = event as Partial<SurfaceIntent>
  let line = `{"type":${JSON.stringify(event.type)},"seq":${event.seq},"time":${event.time}`
  if (surfaceOp !== undefined) line += `,"surfaceOp":${JSON.stringify(surfaceOp)}`
  if (sourceEventSeqs !== undefined) line += `,"sourceEventSeqs":${encodeSeqRuns(sourceEventSeqs)}`
  return `${line},"data":${JSON.stringify(event.data)}}`
}
