import { describeValue } from './describe.js'
import { SessionError } from './error.js'
import type { SessionHeader, SessionId } from './header.js'
import { SESSION_FORMAT_VERSION } from './header.js'
import { type Session, sessionOver } from './session.js'
import { logOf, type SessionView } from './session-view.js'
import { sessionId, validateHeader } from './validate-header.js'

/** How {@link forkSession} makes the child. */
export interface ForkOptions {
  /** The child's id. */
  readonly id: SessionId | string
  /** The last event to inherit; the source's last one where absent. */
  readonly boundary?: number
  /** Unix epoch milliseconds; the clock's where absent. */
  readonly createdAt?: number
}

/**
 * A session that begins with the events of `source` up to and including the boundary. It shares the frozen events, takes
 * over `cwd` and `delegationDepth`, and goes on alone. The fork of an empty session is an empty session.
 * @throws INVALID_BOUNDARY when no event lies at the boundary, OPEN_TURN when a turn is open behind it
 */
export function forkSession(source: SessionView, options: ForkOptions): Session {
  const id = sessionId(options.id)
  const length = forkLength(source, options.boundary)
  const log = logOf(source)
  const bound = log.findLast(length, ['turn/start', 'turn/end'])
  if (bound?.type === 'turn/start') {
    throw new SessionError('OPEN_TURN', {
      expected: 'a boundary outside an open turn',
      found: `turn ${bound.data?.turn}, opened at seq ${bound.seq} and still open at seq ${length - 1}`,
      session: source.id,
      seq: length - 1,
    })
  }
  const { cwd, delegationDepth } = source.header
  const header: SessionHeader = {
    version: SESSION_FORMAT_VERSION,
    id,
    createdAt: options.createdAt ?? Date.now(),
    ...(cwd === undefined ? {} : { cwd }),
    parentSession: source.id,
    seedLength: length,
    ...(delegationDepth === undefined ? {} : { delegationDepth }),
  }
  return sessionOver(validateHeader(header, id), log.prefix(length))
}

function forkLength(source: SessionView, boundary: number | undefined): number {
  if (boundary === undefined) return source.seq
  if (Number.isSafeInteger(boundary) && boundary >= 0 && boundary < source.seq) return boundary + 1
  throw new SessionError('INVALID_BOUNDARY', {
    expected: source.seq === 0 ? 'no boundary, since the log is empty' : `a seq from 0 to ${source.seq - 1}`,
    found: describeValue(boundary),
    session: source.id,
  })
}
