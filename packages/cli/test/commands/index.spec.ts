import { describe, expect, it } from 'vitest'
import { commands } from '../../src/commands/index.js'
import { optionName } from '../../src/option.js'
import { globalOptions } from '../../src/program.js'

describe('the table of commands', () => {
  it('names each once', () => {
    const names = commands.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(commands.map(({ name }) => name))('says of %s all that help and documents need', async name => {
    const { about, args = [], options = {}, examples } = await commands.find(each => each.name === name)!.load()
    expect(about).toMatch(/^[A-Z].*\.$/s)
    for (const { about: words } of args) expect(words).toMatch(/^\S.*[^.]$/)
    for (const { about: words } of Object.values(options)) expect(words).toMatch(/^\S.*[^.]$/)
    for (const example of examples) expect(example.about).toMatch(/^[A-Z].*\.$/)
    const last = args.at(-1)
    for (const argument of args) if (argument !== last) expect(argument.takes ?? 'one').toBe('one')
  })

  it.each(commands.map(({ name }) => name))('gives %s no option that all commands have already', async name => {
    const { options = {} } = await commands.find(each => each.name === name)!.load()
    const taken = Object.entries(globalOptions).flatMap(([key, option]) => [
      optionName(key),
      'short' in option ? option.short : undefined,
    ])
    for (const [key, { short }] of Object.entries(options)) {
      expect(taken).not.toContain(optionName(key))
      if (short !== undefined) expect([...taken, 'h', 'V']).not.toContain(short)
      // Commander would take it for the absence of another option.
      expect(optionName(key)).not.toMatch(/^--no-/)
    }
  })
})
