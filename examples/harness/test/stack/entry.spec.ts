import { describe, expect, it } from 'vitest'
import { readEntries } from '../../src/stack/entry.ts'

const file = '/x/cordis.yml'

/** Aliases of aliases that stand for a thousand million numbers. */
const bomb = Array.from({ length: 10 }, (_, at) => {
  const item = at === 0 ? '1' : `*l${at - 1}`
  return `    l${at}: &l${at} [${Array(10).fill(item).join(', ')}]\n`
}).join('')

describe('readEntries', () => {
  it('reads names, options and expressions, in their order', () => {
    const entries = readEntries(
      `
- name: '@dsh/session-store'
- id: storage
  name: ./backend.js
  disabled: true
  isolate: { sessionPersistence: true }
  config:
    root: !!js process.cwd()
    writeDelayMs: 5
`,
      file,
    )
    expect(entries.map(({ options }) => options)).toEqual([
      { id: '@dsh/session-store', name: '@dsh/session-store' },
      {
        id: 'storage',
        name: './backend.js',
        disabled: true,
        isolate: { sessionPersistence: true },
        config: { root: { __jsExpr: 'process.cwd()' }, writeDelayMs: 5 },
      },
    ])
  })

  it('knows the line of each option, and takes that of the entry for what is missing', () => {
    const [entry] = readEntries('# A comment.\n- name: x\n\n  config:\n    root: /x\n    mode: y\n', file)
    expect(entry!.place).toEqual({ file, line: 2 })
    const lines = ['root', 'mode', 'size', undefined].map(option => entry!.placeOf(option).line)
    expect(lines).toEqual([5, 6, 4, 4])
    const [bare] = readEntries('\n- name: x\n', file)
    expect(bare!.placeOf('root')).toEqual({ file, line: 2 })
  })

  it('takes a file that begins with the mark of its encoding', () => {
    const [entry] = readEntries('\uFEFF- name: x\n  id: y\n', file)
    expect(entry).toMatchObject({ options: { id: 'y', name: 'x' }, place: { line: 1 } })
  })

  it('takes an alias for the anchor that comes last before it', () => {
    const [, second] = readEntries('- name: x\n  config: &a { b: &a 1, c: *a }\n- name: y\n  config: { d: *a }\n', file)
    expect(second!.options.config).toEqual({ d: 1 })
  })

  it('takes an empty value for none', () => {
    const [entry] = readEntries('- name: x\n  config:\n  id:\n', file)
    expect(entry!.options).toEqual({ id: 'x', name: 'x' })
  })

  it.each([
    ['', 'a list of plugins, found nothing', 1],
    ['name: x', 'a list of plugins, found something else', 1],
    ['- name: x\n- y\n', 'an entry with the name of a plugin, found something else', 2],
    ['- config: {}\n', 'the name of a plugin, found none (at name', 1],
    ['- id: a\n  name: 7\n', 'the name of a package, or a path that begins with a dot, found 7 (at name', 2],
    ['- name: x\n  config: [1]\n', 'a mapping of options, found [1] (at config', 2],
    ['- name: x\n  disabled: yes\n', 'true or false, found "yes" (at disabled', 2],
    ['- name: x\n  confg: {}\n', 'one of id, name, config, disabled, inject, isolate, intercept, found "confg"', 2],
    ['- name: x\n\n- name: x\n', 'an id that no other entry has, found "x" (at id', 3],
    ['- name: x\n- name: y\n  id: x\n', 'an id that no other entry has, found "x" (at id', 3],
    ['- name: "x\n', 'YAML, found Missing closing "quote', 1],
    ['- name: "x', 'YAML, found Missing closing "quote', 1],
    ['\n- name: x\n  config: { a: 1\n\n\n', 'YAML, found Flow map in block collection must be', 3],
    ['- name: @dsh/x\n', 'YAML, found Plain value cannot start with reserved character @', 1],
    ['- name: x\n  config:\n    a: 1\n    a: 2\n', 'YAML, found Map keys must be unique', 4],
    ['- name: x\n\n  config: { a: *nope }\n', 'an anchor &nope before its alias, found none', 3],
    ['- name: *a\n- name: &a x\n', 'an anchor &a before its alias, found none', 1],
    ['- name: x\n  id: &i [*i]\n', 'an anchor &i before its alias, found one around it', 2],
    ['- name: x\n  disabled: &i\n    a: [{ b: *i }]\n', 'an anchor &i before its alias, found one around it', 3],
    ['*a', 'an anchor &a before its alias, found none', 1],
    [`- name: x\n- name: y\n  config:\n${bomb}`, 'an entry of moderate size, found Excessive alias count', 2],
    ['- name: x\n  config:\n    root: !env HOME\n', 'YAML, found Unresolved tag: !env', 3],
  ])('refuses %j, with the line', (text, message, line) => {
    expect(() => readEntries(text, file)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        message: expect.stringContaining(`expected ${message}`),
        file,
        line,
      }),
    )
  })
})
