import { describe, expect, it } from 'vitest'
import type { Command } from '../src/command.js'
import { createProgram, describeOption, formatArgument, formatOption, type GlobalValues } from '../src/program.js'

async function parse(...words: string[]) {
  const printed: string[] = []
  const page = {
    columns: 80,
    print: (text: string) => printed.push(text),
    printMissing: (text: string) => printed.push(text),
  }
  let call: { command: Command; args: readonly string[]; given: GlobalValues } | undefined
  const program = await createProgram(words, page, async (command, args, given) => {
    call = { command, args, given }
  })
  await program.parseAsync(words, { from: 'user' })
  return call!
}

describe('createProgram', () => {
  it('hands over arguments and options, those of all commands among them', async () => {
    const { args, given } = await parse(
      '--root',
      '/r',
      'events',
      'id',
      '--type',
      'a/b',
      '--type',
      'c/d',
      '--from',
      '3',
      '--json',
    )
    expect(args).toEqual(['id'])
    expect(given).toEqual({ root: '/r', json: true, type: ['a/b', 'c/d'], from: '3' })
  })

  it('finds the command behind options with values that are named like one', async () => {
    const { command, args } = await parse('--root', 'show', '-q', '--color', 'ls', 'path', 'x')
    expect(command.about).toContain('where a session is stored')
    expect(args).toEqual(['x'])
  })

  it('takes several arguments, and what stands behind two dashes as it is', async () => {
    expect((await parse('trash', 'a', 'b')).args).toEqual(['a', 'b'])
    expect((await parse('trash', '--', '--a', '-b')).args).toEqual(['--a', '-b'])
  })
})

describe('the words of help', () => {
  it('show what is optional and what can be repeated', () => {
    const about = 'x'
    expect(formatArgument({ name: 'id', about })).toBe('<id>')
    expect(formatArgument({ name: 'id', about, takes: 'optional' })).toBe('[id]')
    expect(formatArgument({ name: 'id', about, takes: 'some' })).toBe('<id...>')
    expect(formatArgument({ name: 'id', about, takes: 'any' })).toBe('[id...]')
    expect(formatOption('skipChunks', { about })).toBe('--skip-chunks')
    expect(formatOption('limit', { about, value: 'n', short: 'n' })).toBe('-n, --limit <n>')
    expect(describeOption({ about, fallback: '50' })).toBe('x (default: 50)')
  })
})
