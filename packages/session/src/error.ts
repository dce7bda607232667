/** Every code that an error of this project can carry, with what it means. The source of `docs/errors.md`. */
export const sessionErrorCodes = {
  SESSION_ALREADY_EXISTS: 'A live or stored session already has this id.',
  SESSION_NOT_FOUND: 'No live or stored session has this id.',
  SESSION_NOT_LIVE: 'The session is not, or no longer, in the store that was asked.',
  INVALID_BOUNDARY: 'A fork boundary, a position or a range lies outside the log.',
  OPEN_TURN:
    'The operation needs a log, or a prefix of one, that ends outside an open turn; or no turn may be opened inside another.',
  NOT_JSON: 'A value cannot be stored as JSON without loss.',
  INVALID_EVENT: 'An event, header or stored row does not have the shape that the log accepts.',
  INVALID_CONFIG: 'A plugin was given a configuration that it cannot work with.',
  SURFACE_CONFLICT:
    'Surface metadata contradicts the surface: not a surface type, an unknown or shadowed node, a range out of order, provenance that is incomplete, repeated or not earlier.',
  REENTRANT_APPEND: 'An append was made while another append of the same session was being committed or published.',
  INVARIANT: 'An event breaks a relation that the invariant plugin enforces.',
  RECORDER_STATE: 'A turn recorder was asked for a step that does not fit the state of its turn.',
  SESSION_CORRUPT: 'Stored bytes of a session are damaged; nothing was changed.',
  FORMAT_UNSUPPORTED: 'A stored session has a format version that this release cannot read.',
  SEQ_CONFLICT: 'A stored log is not at the sequence number that the writer expected.',
  SESSION_LOCKED: 'Another writer owns the stored session.',
  OWNERSHIP_LOST: 'The writer no longer owns the stored session: its file or row was changed or removed underneath it.',
  STORAGE_FAILED: 'The storage refused or failed an operation.',
  UNSUPPORTED: 'The backend does not have the capability that was asked for.',
} as const

/** A stable, documented error code; see `docs/errors.md`. */
export type SessionErrorCode = keyof typeof sessionErrorCodes

/** Where an error happened. Each field is present where it applies. */
export interface ErrorPlace {
  /** Id of the session. */
  readonly session?: string
  /** Sequence number of the event. */
  readonly seq?: number
  /** Path to the offending value, for instance `data.content[2].text`, or the name of an option. */
  readonly path?: string
  /** The plugin whose configuration it is, as it is imported. */
  readonly plugin?: string
  /** File, or the name of the database, that holds the session or the configuration. */
  readonly file?: string
  /** 1-based line in `file`. */
  readonly line?: number
  /** 0-based byte offset in `file`. */
  readonly byte?: number
}

/** What a {@link SessionError} is made from. */
export interface SessionErrorInit extends ErrorPlace {
  /** What would have been right, as a noun phrase. */
  readonly expected: string
  /** What was there instead, as a noun phrase. */
  readonly found: string
  /** Facts for programs, for instance `{ expectedSeq, currentSeq }`; see the code's row in `docs/errors.md`. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/**
 * The one error class. Recognise it by {@link SessionError.code}, with {@link isSessionError}, and not by `instanceof`:
 * an application can hold two copies of this package.
 */
export class SessionError extends Error implements ErrorPlace {
  readonly code: SessionErrorCode
  readonly expected: string
  readonly found: string
  declare readonly session?: string
  declare readonly seq?: number
  declare readonly path?: string
  declare readonly plugin?: string
  declare readonly file?: string
  declare readonly line?: number
  declare readonly byte?: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: SessionErrorCode, init: SessionErrorInit) {
    const { expected, found, details, cause, ...place } = init
    super(`${code}: expected ${expected}, found ${found}${describePlace(place)}`, cause === undefined ? {} : { cause })
    this.name = 'SessionError'
    this.code = code
    this.expected = expected
    this.found = found
    this.details = details ?? {}
    Object.assign(this, place)
  }
}

/** Whether `error` is a {@link SessionError} of any copy of this package, and has `code` where one is given. */
export function isSessionError(error: unknown, code?: SessionErrorCode): error is SessionError {
  if (!(error instanceof Error) || !('code' in error) || !('expected' in error)) return false
  return code === undefined ? Object.hasOwn(sessionErrorCodes, error.code as string) : error.code === code
}

/** The same error with what `place` adds to what it says of where it happened; anything else as it is. */
export function locateError(error: unknown, place: ErrorPlace): unknown {
  if (!isSessionError(error)) return error
  const { code, expected, found, details, cause, session, seq, path, plugin, file, line, byte } = error
  const known = Object.entries({ cause, session, seq, path, plugin, file, line, byte }).filter(
    ([, value]) => value !== undefined,
  )
  return new SessionError(code, { ...place, ...Object.fromEntries(known), expected, found, details })
}

function describePlace(place: ErrorPlace): string {
  const parts = []
  if (place.path !== undefined) parts.push(`at ${place.path}`)
  if (place.plugin !== undefined) parts.push(`plugin ${place.plugin}`)
  if (place.session !== undefined) parts.push(`session ${JSON.stringify(place.session)}`)
  if (place.seq !== undefined) parts.push(`seq ${place.seq}`)
  if (place.file !== undefined) parts.push(`file ${place.file}`)
  if (place.line !== undefined) parts.push(`line ${place.line}`)
  if (place.byte !== undefined) parts.push(`byte ${place.byte}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}
