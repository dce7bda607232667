import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { commands } from '../src/commands/index.js'
import { exampleRoot } from './support/root.js'
import { run } from './support/run.js'
import { splitWords } from './support/words.js'

const chat = [
  { role: 'user', content: 'What is the longest file?' },
  { role: 'assistant', content: 'src/parser.ts is.' },
]

/** Examples that find a difference, or a damage, and say so. */
const finding = /^dsh-session (diff demo|doctor)/

it.each(commands.map(({ name }) => name))('has examples of %s that work', async name => {
  const command = await commands.find(each => each.name === name)!.load()
  expect(command.examples.length).toBeGreaterThan(0)
  const root = await exampleRoot()
  const options = { root: root.path, cwd: dirname(root.path) }
  writeFileSync(join(options.cwd, 'chat.json'), JSON.stringify({ messages: chat }))
  for (const { command: line } of command.examples) {
    const [program, ...words] = splitWords(line)
    expect(program).toBe('dsh-session')
    expect(words).toContain(name)
    const { code, stderr } = await run(words, options)
    expect({ line, code, isError: stderr.includes('dsh-session: ') }).toEqual({
      line,
      code: finding.test(line) || line === 'dsh-session verify' ? 1 : 0,
      isError: false,
    })
  }
})
