import type { SessionHeader } from '@dsh/session'
import { SESSION_FORMAT_VERSION, SessionError, sessionId } from '@dsh/session'
import { validateHeader } from '@dsh/session/host'

const BYTE_ORDER_MARK = '\uFEFF'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The first line of each part, with its line feed. */
export function formatHeaderLine(header: SessionHeader): Buffer {
  const { version, id, createdAt, ...rest } = header
  return Buffer.from(`${JSON.stringify({ type: 'session', version, id, createdAt, ...rest })}\n`)
}

/**
 * Reads a header line. Fields that this release does not know are kept.
 * @param line without its line feed
 * @throws FORMAT_UNSUPPORTED for another version, SESSION_CORRUPT for what is no header
 */
export function parseHeaderLine(line: Uint8Array, file: string): SessionHeader {
  const { type, ...fields } = parseObject(line, file)
  if (type !== 'session') throw damaged('a line of type "session"', `type ${inWords(type)}`, file)
  const { version, id } = fields
  if (!isCount(version)) throw damaged('a format version', inWords(version), file)
  if (version !== SESSION_FORMAT_VERSION) throw unsupported(version, id, file)
  try {
    return validateHeader(fields as unknown as SessionHeader, sessionId(id as string))
  } catch (cause) {
    const { expected, found, path } = cause as SessionError
    throw damaged(expected, found, file, path)
  }
}

function parseObject(line: Uint8Array, file: string): Record<string, unknown> {
  let value: unknown
  try {
    const text = utf8.decode(line)
    value = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  } catch (cause) {
    throw damaged('a header of valid JSON', line.length === 0 ? 'an empty line' : (cause as Error).message, file)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw damaged('a header object', inWords(value), file)
}

const LONGEST_QUOTE = 60

/** Whatever came from JSON, in a few words; it can be nested too deeply to be written out. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(JSON.stringify(value)).slice(0, LONGEST_QUOTE)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function unsupported(version: number, id: unknown, file: string): SessionError {
  const relation = version > SESSION_FORMAT_VERSION ? 'newer' : 'older'
  return new SessionError('FORMAT_UNSUPPORTED', {
    expected: `format version ${SESSION_FORMAT_VERSION}`,
    found: `the ${relation} version ${version}`,
    file,
    line: 1,
    byte: 0,
    details: { version, ...(typeof id === 'string' && { id }) },
  })
}

function damaged(expected: string, found: string, file: string, path?: string): SessionError {
  const place = { file, line: 1, byte: 0, ...(path !== undefined && { path }) }
  return new SessionError('SESSION_CORRUPT', { expected, found, ...place })
}
