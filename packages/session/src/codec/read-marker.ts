import type { SessionEvent, SurfaceIntent, SurfaceOp } from '../event.js'
import { invalidRow } from './invalid-row.js'
import * as key from './line-keys.js'
import { LineScanner } from './line-scanner.js'
import { parseJson, parseLine } from './parse-line.js'
import { readEvent } from './read-event.js'
import { expandSeqRuns } from './seq-runs.js'
import { readTypeName } from './type-names.js'

const QUOTE = 34
const CLOSING_BRACE = 125

const appended: SurfaceIntent = Object.freeze({ surfaceOp: 'append' })

/**
 * The surface marker of a stored surface row: how its event entered the surface, and which events it cites. Of a line as
 * `encodeRows` writes it, the payload is not parsed, and the cited seqs are expanded when they are asked for; the marker
 * keeps `body` in memory for that.
 * @param body the line as UTF-8, without its line feed
 * @throws INVALID_EVENT, also when there is no marker; where the cited seqs are malformed, when they are asked for
 */
export function readMarker(body: Uint8Array): SurfaceIntent {
  return scanMarker(body) ?? parseMarker(body)
}

function parseMarker(body: Uint8Array): SurfaceIntent {
  const line = parseLine(body)
  const { seq, surfaceOp, sourceEventSeqs } = readEvent(line) as SessionEvent & Partial<SurfaceIntent>
  if (surfaceOp === undefined) throw invalidRow('a surface marker', 'none', { seq, path: 'surfaceOp' })
  return sourceEventSeqs === undefined ? { surfaceOp } : { surfaceOp, sourceEventSeqs }
}

function scanMarker(body: Uint8Array): SurfaceIntent | undefined {
  const line = new LineScanner(body)
  if (!line.skip(key.TYPE) || readTypeName(line) === undefined || !line.skip(key.SEQ)) return undefined
  const seq = line.integer()
  if (!(seq >= 0) || !line.skip(key.TIME) || Number.isNaN(line.integer()) || !line.skip(key.SURFACE_OP))
    return undefined
  const surfaceOp = scanSurfaceOp(line)
  if (surfaceOp === undefined) return undefined
  if (line.skip(key.DATA)) {
    // A line that someone else wrote may have the sources, a list, behind the payload, an object.
    if (body[body.length - 2] !== CLOSING_BRACE) return undefined
    return surfaceOp === 'append' ? appended : { surfaceOp }
  }
  if (!line.skip(key.SOURCES)) return undefined
  const list = scanSources(line)
  if (list === undefined) return undefined
  let sources: readonly number[] | undefined
  return {
    surfaceOp,
    get sourceEventSeqs() {
      sources ??= readSources(list, seq)
      return sources
    },
  }
}

function scanSurfaceOp(line: LineScanner): SurfaceOp | undefined {
  if (line.skip(key.APPEND)) return 'append'
  if (!line.skip(key.REPLACE_START)) return undefined
  const start = line.integer()
  if (!(start >= 0) || !line.skip(key.REPLACE_END)) return undefined
  const end = line.integer()
  return end >= 0 && line.skip(key.CLOSE) ? Object.freeze({ op: 'replace', start, end }) : undefined
}

// The list holds no string, so it ends before the next key.
function scanSources(line: LineScanner): Uint8Array | undefined {
  const { bytes, at } = line
  line.at = bytes.indexOf(QUOTE, at) - 1
  const end = line.at
  return end > at && line.skip(key.DATA) ? bytes.subarray(at, end) : undefined
}

function readSources(list: Uint8Array, seq: number): readonly number[] {
  return expandSeqRuns(parseJson(list, { seq, path: 'sourceEventSeqs' }), seq)
}
