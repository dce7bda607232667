import type { SessionErrorCode } from '@dsh/session'

/** The codes that the command has of its own, beside those of `docs/errors.md`, with what each means. */
export const cliErrorCodes = {
  USAGE: 'The command line is wrong.',
  ROOT_NOT_FOUND: 'The directory that should hold the sessions does not exist.',
  AMBIGUOUS_ID: 'The start of an id fits several sessions.',
  FILE_NOT_FOUND: 'A file that was named does not exist.',
  FILE_EXISTS: 'A file that was to be written exists already, and nothing is overwritten.',
  FILE_FAILED: 'A file that was named could not be read or written.',
  OUTPUT_FAILED: 'The output could not be written.',
  INTERNAL: 'The command itself failed: a bug.',
} as const

/** A code of the command's own. */
export type CliErrorCode = keyof typeof cliErrorCodes

/** A failure that is told in one line, with its code. */
export class CliError extends Error {
  readonly code: CliErrorCode

  constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CliError'
    this.code = code
  }
}

/** What an exit code says. */
export const exitCodes = {
  0: 'Done, and nothing is wrong.',
  1: 'Done, and there is something to tell: `diff` found a difference, `verify` or `doctor` a damage.',
  2: 'The command line is wrong.',
  3: 'There is no such session, root or file.',
  4: 'Refused, and nothing was changed.',
  5: 'The session is damaged, or of a format that cannot be read.',
  6: 'The storage or a file failed.',
  70: 'The command itself failed.',
  130: 'Interrupted.',
} as const

/** How the command ends. */
export type ExitCode = keyof typeof exitCodes

/** The exit code for each error code. */
export const exitCodeOf: Readonly<Record<SessionErrorCode | CliErrorCode, ExitCode>> = {
  USAGE: 2,
  INVALID_CONFIG: 2,
  SESSION_NOT_FOUND: 3,
  ROOT_NOT_FOUND: 3,
  FILE_NOT_FOUND: 3,
  SESSION_ALREADY_EXISTS: 4,
  SESSION_LOCKED: 4,
  SESSION_NOT_LIVE: 4,
  FILE_EXISTS: 4,
  AMBIGUOUS_ID: 4,
  INVALID_BOUNDARY: 4,
  OPEN_TURN: 4,
  UNSUPPORTED: 4,
  NOT_JSON: 5,
  INVALID_EVENT: 5,
  SURFACE_CONFLICT: 5,
  INVARIANT: 5,
  SESSION_CORRUPT: 5,
  FORMAT_UNSUPPORTED: 5,
  SEQ_CONFLICT: 6,
  OWNERSHIP_LOST: 6,
  STORAGE_FAILED: 6,
  FILE_FAILED: 6,
  OUTPUT_FAILED: 6,
  REENTRANT_APPEND: 70,
  RECORDER_STATE: 70,
  INTERNAL: 70,
}
