import { type CliErrorCode, type ExitCode, exitCodeOf } from './error.js'

/** A failure in the forms in which it is told. */
export interface Failure {
  readonly exitCode: ExitCode
  /** One line: the code, then what was wrong. */
  readonly line: string
  readonly json: { readonly error: Readonly<Record<string, unknown>> }
}

const places = ['session', 'seq', 'path', 'plugin', 'file', 'line', 'byte'] as const

/** Puts whatever was thrown into one line with a code. Anything without one of the project's codes is a bug. */
export function describeFailure(error: unknown): Failure {
  const known: Partial<Record<string, unknown>> = error instanceof Error ? { ...error } : {}
  const code = hasCode(error) ? error.code : 'INTERNAL'
  const text = error instanceof Error ? error.message : String(error)
  const message = text.startsWith(`${code}: `) ? text.slice(code.length + 2) : text
  const place = Object.fromEntries(places.flatMap(key => (known[key] === undefined ? [] : [[key, known[key]]])))
  return {
    exitCode: exitCodeOf[code],
    line: `dsh-session: ${code}: ${message}${adviceFor(code, place.session)}`,
    json: { error: { code, message, ...place, ...(hasDetails(known.details) && { details: known.details }) } },
  }
}

function hasCode(error: unknown): error is Error & { code: keyof typeof exitCodeOf } {
  return error instanceof Error && 'code' in error && Object.hasOwn(exitCodeOf, error.code as CliErrorCode)
}

function hasDetails(details: unknown): boolean {
  return typeof details === 'object' && details !== null && Object.keys(details).length > 0
}

function adviceFor(code: string, session: unknown): string {
  if (code === 'USAGE') return '; see dsh-session --help'
  if (code === 'SESSION_CORRUPT' && session !== undefined) return '; dsh-session doctor tells more'
  return ''
}
