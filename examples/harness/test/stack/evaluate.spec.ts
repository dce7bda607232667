import { Context } from 'cordis'
import { expect, it } from 'vitest'
import { evaluate } from '../../src/stack/evaluate.ts'

const js = (text: string) => ({ __jsExpr: text })

it('evaluates expressions wherever they stand, and leaves the rest as it is', () => {
  const value = { a: [js('1 + 1'), { b: js('[3]') }], c: 'x', d: null }
  expect(evaluate(new Context(), value)).toEqual({ a: [2, { b: [3] }], c: 'x', d: null })
  expect(evaluate(new Context(), undefined)).toBeUndefined()
})

it('evaluates no result again, and follows one that contains itself', () => {
  const circle = evaluate(new Context(), js("(() => { const a = { b: { __jsExpr: '1' } }; a.a = a; return a })()"))
  expect(circle).toMatchObject({ a: { a: {} }, b: { __jsExpr: '1' } })
})

// A failure that nobody takes fails the run.
it.each([
  js("Promise.reject(new Error('no'))"),
  js("import('./nobody.js').then(module => module.root)"),
  js("({ then: (_, failed) => failed(new Error('no')) })"),
  js("({ a: [Promise.reject(new Error('no')), Promise.reject(new Error('no'))] })"),
  { a: [js("Promise.reject(new Error('no'))"), js('there.is.none')] },
])('refuses a promise, and keeps its failure from the process: %j', async value => {
  const error = { code: 'INVALID_CONFIG', expected: 'a value', found: 'a promise' }
  expect(() => evaluate(new Context(), value)).toThrow(expect.objectContaining(error))
  await new Promise(resolve => setImmediate(resolve))
})
