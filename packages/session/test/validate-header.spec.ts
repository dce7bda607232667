import { SESSION_FORMAT_VERSION, Session, type SessionHeader, sessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { checkSeedLength, validateHeader } from '../src/validate-header.js'
import { expectError } from './support/expect-error.js'

const id = sessionId('s')
const base: SessionHeader = { version: SESSION_FORMAT_VERSION, id, createdAt: 5 }

describe('sessionId', () => {
  it('takes any non-empty string', () => {
    for (const text of ['a', '../x', ' ', '\ud800', 'CON', '会话']) expect(sessionId(text)).toBe(text)
  })

  it.each(['', 5, null, undefined, {}])('refuses %j', value => {
    expectError('INVALID_EVENT', () => sessionId(value as string))
  })
})

describe('validateHeader', () => {
  it('copies and freezes, and keeps fields it does not know', () => {
    const header = { ...base, cwd: '/work', parentSession: id, seedLength: 0, delegationDepth: 2, origin: { by: 'x' } }
    const copy = validateHeader(header, id)
    expect(copy).toEqual(header)
    expect(copy).not.toBe(header)
    expect(Object.isFrozen(copy)).toBe(true)
  })

  it.each(['/', '/a b', 'C:\\x', 'c:/x', '\\\\host\\share'])('takes the absolute path %s', cwd => {
    expect(validateHeader({ ...base, cwd }, id).cwd).toBe(cwd)
  })

  it.each<[string, object]>([
    ['header.cwd', { cwd: 'relative' }],
    ['header.cwd', { cwd: './x' }],
    ['header.cwd', { cwd: '' }],
    ['header.cwd', { cwd: 'C:x' }],
    ['header.id', { id: 'other' }],
    ['header.createdAt', { createdAt: 1.5 }],
    ['header.createdAt', { createdAt: '5' }],
    ['header.parentSession', { parentSession: '' }],
    ['header.parentSession', { parentSession: 7 }],
    ['header.seedLength', { seedLength: -1 }],
    ['header.delegationDepth', { delegationDepth: 0.5 }],
    ['header.version', { version: 'one' }],
  ])('refuses a wrong %s', (path, change) => {
    const header = { ...base, ...change } as SessionHeader
    expect(expectError('INVALID_EVENT', () => validateHeader(header, id)).path).toBe(path)
  })

  it('refuses what is not an object, or not JSON', () => {
    expectError('INVALID_EVENT', () => validateHeader(null as unknown as SessionHeader, id))
    expectError('INVALID_EVENT', () => validateHeader([] as unknown as SessionHeader, id))
    expectError('NOT_JSON', () => validateHeader({ ...base, cwd: undefined }, id))
  })

  it('refuses another format version and says in which direction', () => {
    expect(expectError('FORMAT_UNSUPPORTED', () => validateHeader({ ...base, version: 2 }, id)).found).toContain(
      'newer',
    )
    expect(expectError('FORMAT_UNSUPPORTED', () => validateHeader({ ...base, version: 0 }, id)).found).toContain(
      'older',
    )
  })
})

describe('checkSeedLength', () => {
  it('refuses a log that is shorter than what it inherited', () => {
    expect(() => checkSeedLength({ ...base, seedLength: 3 }, 3)).not.toThrow()
    expectError('INVALID_EVENT', () => checkSeedLength({ ...base, seedLength: 4 }, 3))
    expectError('INVALID_EVENT', () => new Session('s', [], { ...base, seedLength: 1 }))
  })
})
