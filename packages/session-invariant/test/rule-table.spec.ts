import { expect, it } from 'vitest'
import { coreRules, type InvariantRule, RuleTable } from '../src/index.js'
import { chunk, logOf, raw, textDelta } from './support/draft.js'

const rule = (change: Partial<InvariantRule>): InvariantRule => ({
  name: 'r',
  code: 'R',
  description: '',
  initial: () => 0,
  apply: state => state,
  ...change,
})
const table = new RuleTable([
  rule({}),
  rule({ types: ['acme/a', 'assistant/chunk'] }),
  rule({ types: ['acme/b'] }),
  rule({ deltas: false }),
])

it('gives the rules of a type and those of all types, in order', () => {
  const slots = (draft: ReturnType<typeof raw>) => table.slotsFor(logOf(draft)[0]!)
  expect(slots(raw('acme/a'))).toEqual([0, 1, 3])
  expect(slots(raw('acme/b'))).toEqual([0, 2, 3])
  expect(slots(raw('acme/c'))).toEqual([0, 3])
})

it('leaves deltas out where a rule does not want them', () => {
  const slots = (draft: ReturnType<typeof raw>) => table.slotsFor(logOf(draft)[0]!)
  expect(slots(textDelta())).toEqual([0, 1])
  expect(slots(chunk({ type: 'finish' }))).toEqual([0, 1, 3])
  expect(slots(raw('assistant/chunk', null))).toEqual([0, 1, 3])
})

it('asks few rules about a delta', () => {
  const core = new RuleTable(coreRules())
  const names = core.slotsFor(logOf(textDelta())[0]!).map(slot => core.rules[slot]!.name)
  expect(names).toEqual(['seq', 'payload', 'enclosure', 'assembly'])
})
