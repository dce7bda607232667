import { describeValue } from './describe.js'
import { SessionError } from './error.js'
import { SESSION_FORMAT_VERSION, type SessionHeader, type SessionId } from './header.js'
import { snapshotJsonValue } from './json.js'

const absolutePath = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/

/**
 * Brands a non-empty string as a {@link SessionId}.
 * @throws INVALID_EVENT when `id` is not a non-empty string
 */
export function sessionId(id: string): SessionId {
  if (typeof id === 'string' && id !== '') return id as SessionId
  throw invalid('id', 'a non-empty string', id, undefined)
}

/**
 * Checks and copies a header into a frozen one. Fields it does not know are kept verbatim.
 * @param id the id that the header must have
 * @throws INVALID_EVENT naming the field, NOT_JSON, FORMAT_UNSUPPORTED for another format version
 */
export function validateHeader(header: SessionHeader, id: SessionId): SessionHeader {
  const copy = snapshotJsonValue(header, 'header')
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) {
    throw invalid('header', 'an object', copy, id)
  }
  if (!isCount(copy.version)) throw invalid('header.version', 'a version number', copy.version, id)
  if (copy.version !== SESSION_FORMAT_VERSION) {
    const relation = copy.version > SESSION_FORMAT_VERSION ? 'newer' : 'older'
    throw new SessionError('FORMAT_UNSUPPORTED', {
      expected: `format version ${SESSION_FORMAT_VERSION}`,
      found: `the ${relation} version ${copy.version}`,
      session: id,
      path: 'header.version',
    })
  }
  if (copy.id !== id) throw invalid('header.id', JSON.stringify(id), copy.id, id)
  if (!Number.isSafeInteger(copy.createdAt)) {
    throw invalid('header.createdAt', 'whole epoch milliseconds', copy.createdAt, id)
  }
  const { cwd, parentSession, seedLength, delegationDepth } = copy
  if (has(copy, 'cwd') && !(typeof cwd === 'string' && absolutePath.test(cwd))) {
    throw invalid('header.cwd', 'an absolute path', cwd, id)
  }
  if (has(copy, 'parentSession') && !(typeof parentSession === 'string' && parentSession !== '')) {
    throw invalid('header.parentSession', 'a non-empty string', parentSession, id)
  }
  if (has(copy, 'seedLength') && !isCount(seedLength)) {
    throw invalid('header.seedLength', 'a number of events', seedLength, id)
  }
  if (has(copy, 'delegationDepth') && !isCount(delegationDepth)) {
    throw invalid('header.delegationDepth', 'a whole number from 0', delegationDepth, id)
  }
  return copy
}

/** @throws INVALID_EVENT when a log of `length` events is shorter than what its header says it inherited */
export function checkSeedLength(header: SessionHeader, length: number): void {
  const { seedLength = 0, id } = header
  if (seedLength > length) throw invalid('header.seedLength', `at most the log's ${length} events`, seedLength, id)
}

function has(header: SessionHeader, key: keyof SessionHeader): boolean {
  return Object.hasOwn(header, key)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function invalid(path: string, expected: string, found: unknown, session: SessionId | undefined): SessionError {
  return new SessionError('INVALID_EVENT', {
    expected,
    found: describeValue(found),
    path,
    ...(session === undefined ? {} : { session }),
  })
}
