import { expect, it } from 'vitest'
import { isViolation, violation } from '../src/index.js'

it('tells violations from states', () => {
  expect(isViolation(violation('a', 'b', 0))).toBe(true)
  expect(isViolation({ ...violation('a', 'b', undefined, 'data') })).toBe(true)
  expect([undefined, null, 0, 'x', {}, new Map(), { expected: 'a', found: 'b', state: 0 }].some(isViolation)).toBe(
    false,
  )
})

it('leaves out a path that is not there', () => {
  expect(violation('a', 'b', 0)).not.toHaveProperty('path')
})
