import { expect, it } from 'vitest'
import { table } from '../../catalog/page.ts'

it('keeps pipes and line breaks from breaking a table', () => {
  expect(table(['A', 'B'], [['x | y', 'one\n  two']])).toBe('| A | B |\n| --- | --- |\n| x \\| y | one two |')
})
