import { expect, it } from 'vitest'
import { coreRules } from '../../src/index.js'
import { payloadShapes } from '../../src/payload/events.js'

it('has a shape, or a rule of its own, for every event of the core', () => {
  const types = new Set(coreRules().flatMap(rule => rule.types ?? []))
  expect(new Set([...Object.keys(payloadShapes), 'todo/write'])).toEqual(types)
})

it.each(Object.entries(payloadShapes))('refuses for %s what is no object', (_, shape) => {
  for (const found of [null, undefined, 5, 'x', true, []]) expect(shape(found)?.expected).toBe('an object')
})
