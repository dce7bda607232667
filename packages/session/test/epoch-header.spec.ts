import { canonicalHeader, type EpochHeader, foldRequestHeader, headerEquals, recordTurn, Session } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectError } from './support/expect-error.js'

const config = { provider: 'p', model: 'm' }
const tool = (name: string) => ({ name, description: 'd', parameters: { type: 'object', required: ['a', 'b'] } })

const headers: fc.Arbitrary<EpochHeader> = fc.record(
  {
    config: fc.record(
      {
        provider: fc.constantFrom('p', 'q'),
        model: fc.constantFrom('m', 'n'),
        temperature: fc.constantFrom(undefined, 0, 1),
        stop: fc.constantFrom(undefined, ['a'], ['a', 'b'], ['b', 'a']),
      },
      { requiredKeys: ['provider', 'model'], noNullPrototype: true },
    ),
    system: fc.constantFrom(undefined, '', 'be kind'),
    tools: fc.constantFrom(undefined, [], [tool('x')], [tool('x'), tool('y')], [tool('y'), tool('x')]),
  },
  { requiredKeys: ['config'], noNullPrototype: true },
)

/** The canonical form by way of JSON, which drops undefined fields. */
function naive(header: EpochHeader): EpochHeader {
  const copy = JSON.parse(JSON.stringify(header))
  if (copy.system === '') delete copy.system
  if (copy.tools?.length === 0) delete copy.tools
  return copy
}

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  )
}

describe('canonicalHeader', () => {
  it('leaves out empty and undefined fields and nothing else', () => {
    fc.assert(
      fc.property(headers, header => {
        const before = structuredClone(header)
        const canonical = canonicalHeader(header)
        expect(canonical).toStrictEqual(naive(header))
        expect(header).toStrictEqual(before)
        expect(canonicalHeader(canonical)).toBe(canonical)
      }),
    )
  })

  it('keeps fields that this version does not know', () => {
    const header = { config: { ...config, seed: 7 }, system: '', cache: 'long' } as EpochHeader
    expect(canonicalHeader(header)).toEqual({ config: { ...config, seed: 7 }, cache: 'long' })
  })
})

describe('canonicalHeader and headerEquals', () => {
  it('leave a malformed header to the validator', () => {
    const malformed = [{}, { config: null }, { config: 'x' }] as unknown as EpochHeader[]
    for (const header of malformed) {
      expect(canonicalHeader(header)).toBe(header)
      expect(headerEquals(header, { config })).toBe(false)
    }
    const step = recordTurn(new Session('s')).step()
    for (const header of malformed) expectError('INVALID_EVENT', () => step.header(header))
  })
})

describe('headerEquals', () => {
  it('is equality of the canonical forms', () => {
    fc.assert(
      fc.property(headers, headers, (a, b) => {
        const [x, y] = [naive(a), naive(b)].map(header => JSON.stringify(header, sortKeys))
        expect(headerEquals(a, b)).toBe(x === y)
      }),
    )
  })

  it('ignores the order of object keys at any depth', () => {
    fc.assert(
      fc.property(headers, header => {
        expect(headerEquals(header, shuffled(header) as EpochHeader)).toBe(true)
      }),
    )
  })

  it('counts the order of tools, and of items inside a schema', () => {
    const [x, y] = [tool('x'), tool('y')]
    expect(headerEquals({ config, tools: [x, y] }, { config, tools: [y, x] })).toBe(false)
    const turned = { ...x, parameters: { type: 'object', required: ['b', 'a'] } }
    expect(headerEquals({ config, tools: [x] }, { config, tools: [turned] })).toBe(false)
  })

  it('takes an absent, an empty and an undefined system prompt or tool list for the same', () => {
    expect(headerEquals({ config }, { config, system: '', tools: [] })).toBe(true)
    expect(headerEquals({ config }, { config, system: undefined, tools: undefined })).toBe(true)
    expect(headerEquals({ config }, { config, system: ' ' })).toBe(false)
  })
})

describe('foldRequestHeader', () => {
  it('gives the last header in canonical form while the log keeps it verbatim', () => {
    const session = new Session('s')
    expect(foldRequestHeader(session)).toBeUndefined()
    session.append('request/header', { header: { config, system: 'old' }, reason: 'initial' })
    const { data } = session.append('request/header', { header: { config, system: '', tools: [] }, reason: 'change' })
    expect(data.header).toEqual({ config, system: '', tools: [] })
    expect(foldRequestHeader(session.events)).toEqual({ config })
    expect(session.requestHeader()).toEqual({ config })
  })
})

describe('requestContext', () => {
  it('is the last record, whatever the header says', () => {
    const session = new Session('s')
    expect(session.requestContext()).toBeUndefined()
    session.append('request/context', { provider: 'p', model: 'm', contextWindow: 10 })
    const { data } = session.append('request/context', { provider: 'q', model: 'n', contextWindow: 20 })
    session.append('request/header', { header: { config }, reason: 'initial' })
    expect(session.requestContext()).toBe(data)
  })
})

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
