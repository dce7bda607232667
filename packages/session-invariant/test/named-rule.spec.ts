import { isSessionError } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import type { InvariantRule } from '../src/index.js'
import { namedRule } from '../src/named-rule.js'
import { isViolation, violation } from '../src/violation.js'
import { logOf, raw } from './support/draft.js'

const rule: InvariantRule<number> = {
  name: 'own',
  code: 'NOTE',
  description: 'None.',
  initial: () => 0,
  apply: state => state + 1,
}

/** What a plugin may write instead of an object; nothing but its fields is its own. */
class Limit implements InvariantRule<number> {
  readonly name = 'limit'
  readonly code = 'LIMIT'
  readonly description = 'Not too many.'
  readonly types = ['acme/note']
  readonly deltas = false
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  initial() {
    return 0
  }

  apply(count: number) {
    return count < this.#most ? count + 1 : violation(`at most ${this.#most}`, 'more', count)
  }

  gap(count: number) {
    return count + this.#most
  }
}

describe('namedRule', () => {
  const [note] = logOf(raw('acme/note'))

  it('gives a rule another name and leaves the rest as it is', () => {
    const named = namedRule('other', rule)
    expect(named).toMatchObject({ name: 'other', code: 'NOTE', description: 'None.' })
    expect([named.types, named.deltas, named.gap]).toEqual([undefined, undefined, undefined])
    expect(named.apply(named.initial(), note!)).toBe(1)
    expect(rule.name).toBe('own')
  })

  it('takes an instance of a class', () => {
    const named = namedRule('other', new Limit(1))
    expect(named).toMatchObject({ name: 'other', code: 'LIMIT', types: ['acme/note'], deltas: false })
    expect(named.apply(named.initial(), note!)).toBe(1)
    expect(isViolation(named.apply(1, note!))).toBe(true)
    expect(named.gap!(1)).toBe(2)
  })

  it.each([{ code: '' }, { code: 5 }, { types: 'acme/note' }, { initial: undefined }, { apply: null }])(
    'refuses a rule with %j',
    change => {
      expect(isSessionError(caught({ ...rule, ...change }), 'INVALID_CONFIG')).toBe(true)
    },
  )

  it('refuses an empty name', () => {
    expect(() => namedRule('', rule)).toThrow('as the name of a rule')
  })

  it('passes on what the initial state throws', () => {
    const error = new Error('none')
    const initial = () => {
      throw error
    }
    expect(caught({ ...rule, initial })).toBe(error)
  })
})

function caught(rule: object): unknown {
  try {
    return namedRule('other', rule as InvariantRule)
  } catch (error) {
    return error
  }
}
