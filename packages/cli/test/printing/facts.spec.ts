import { expect, it } from 'vitest'
import { printFacts } from '../../src/printing/facts.js'
import { printed } from '../support/printed.js'

it('lines facts up, leaves out what is not known, and keeps within the terminal', async () => {
  const facts = [
    ['session', 's'],
    ['title', undefined],
    ['empty', ''],
    ['directory', '/a/b/c'],
  ] as const
  expect(await printed(out => printFacts(out, facts))).toBe('session    s\ndirectory  /a/b/c\n')
  expect(await printed(out => printFacts(out, facts), 15)).toBe('session    s\ndirectory  /a/…\n')
})
