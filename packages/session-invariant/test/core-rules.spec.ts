import { expect, it } from 'vitest'
import { coreRules } from '../src/index.js'

it('has a unique name and code for each rule, and a sentence', () => {
  const rules = coreRules('strict')
  expect(new Set(rules.map(rule => rule.name)).size).toBe(rules.length)
  expect(new Set(rules.map(rule => rule.code)).size).toBe(rules.length)
  for (const { name, code, description } of rules) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
    expect(description).toMatch(/\.$/)
  }
})

it('adds one rule under strict enclosure', () => {
  const execution = coreRules().map(rule => rule.name)
  expect(coreRules('strict').map(rule => rule.name)).toEqual([...execution, 'strict-enclosure'])
})
