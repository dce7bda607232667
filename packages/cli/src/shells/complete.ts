import { backendNames, usualBackend } from '../backends.js'
import type { Command } from '../command.js'
import { commands } from '../commands/index.js'
import { LATEST, listAll } from '../find-session.js'
import { type Completion, type OptionFacts, optionName } from '../option.js'
import { commonOptions, globalOptions } from '../program.js'
import { resolveRoot } from '../root.js'
import { openStore } from '../store.js'
import type { Io } from '../terminal/io.js'
import { visible } from '../terminal/visible.js'

/** What a shell is told to do: offer the words that were printed, or names of files or directories. */
const exitCodes = { words: 0, file: 10, directory: 11 } as const

/** Most session ids that are offered. */
const MOST_IDS = 200

type Reply = { readonly words: readonly Word[] } | 'file' | 'directory'
type Word = readonly [word: string, about?: string]

/**
 * Answers a completion script; see `scripts.ts`.
 * @param words the command line behind the name, up to the word that is being typed, which may be empty
 * @returns the exit code for the script
 */
export async function answerCompletion(words: readonly string[], io: Io): Promise<number> {
  const reply = await complete(words, io).catch((): Reply => ({ words: [] }))
  if (typeof reply === 'string') return exitCodes[reply]
  const current = words.at(-1) ?? ''
  const fitting = reply.words.filter(([word]) => word.startsWith(current))
  const lines = fitting.map(([word, about]) => (about === undefined ? word : `${word}\t${visible(about)}`))
  if (lines.length > 0) await new Promise<void>(resolve => io.stdout.write(`${lines.join('\n')}\n`, () => resolve()))
  return exitCodes.words
}

type Options = Readonly<Record<string, OptionFacts>>

async function complete(words: readonly string[], io: Io): Promise<Reply> {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const line = await readLine(before)
  if (line.awaiting !== undefined) return replyFor(line.awaiting.completes, line, io)
  if (current.startsWith('-') && !line.isOver) return { words: optionWords(line.options) }
  if (line.command === undefined) return { words: commands.map(({ name, summary }) => [name, summary]) }
  if (line.command === 'help') return { words: commands.map(({ name, summary }) => [name, summary]) }
  const args = line.command.args ?? []
  const last = args.at(-1)
  const argument = args[line.operands] ?? (last?.takes === 'some' || last?.takes === 'any' ? last : undefined)
  const special = Object.entries(argument?.completesWith ?? {}).find(([key]) => line.flags.has(key))
  return replyFor(special?.[1] ?? argument?.completes, line, io)
}

interface CommandLine {
  readonly command: Command | 'help' | undefined
  readonly options: Options
  /** Words that the command was given. */
  readonly operands: number
  /** The option that the next word is the value of. */
  readonly awaiting: OptionFacts | undefined
  /** Whether `--` has ended the options. */
  readonly isOver: boolean
  readonly values: Readonly<Record<string, string>>
  /** The options without a value that were given. */
  readonly flags: ReadonlySet<string>
}

async function readLine(words: readonly string[]): Promise<CommandLine> {
  let command: Command | 'help' | undefined
  let options: Options = globalOptions
  let operands = 0
  let awaiting: [key: string, option: OptionFacts] | undefined
  let isOver = false
  const values: Record<string, string> = {}
  const flags = new Set<string>()
  for (const word of words) {
    if (awaiting !== undefined) {
      values[awaiting[0]] = word
      awaiting = undefined
    } else if (word === '--') isOver = true
    else if (word.startsWith('-') && !isOver) {
      const [name, value] = splitOption(word)
      const known = Object.entries(options).find(([key, { short }]) => optionName(key) === name || `-${short}` === name)
      if (known === undefined) continue
      if (known[1].value === undefined) flags.add(known[0])
      else if (value === undefined) awaiting = known
      else values[known[0]] = value
    } else if (command !== undefined) operands++
    else {
      command = word === 'help' ? 'help' : await commands.find(({ name }) => name === word)?.load()
      if (typeof command === 'object') options = { ...command.options, ...commonOptions(command) }
    }
  }
  return { command, options, operands, awaiting: awaiting?.[1], isOver, values, flags }
}

function splitOption(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function optionWords(options: Options): Word[] {
  return [
    ...Object.entries(options).map(([key, { about }]): Word => [optionName(key), about]),
    ['--help', 'print help'],
  ]
}

async function replyFor(completes: Completion | undefined, line: CommandLine, io: Io): Promise<Reply> {
  if (completes === 'file' || completes === 'directory') return completes
  if (completes === 'session' || completes === 'trashed') return { words: await sessionWords(completes, line, io) }
  return { words: (completes ?? []).map((word): Word => [word]) }
}

async function sessionWords(kind: 'session' | 'trashed', { values }: CommandLine, io: Io): Promise<Word[]> {
  const root = resolveRoot(values.root, io)
  const backend = backendNames.find(name => name === values.backend) ?? usualBackend(root)
  const store = await openStore({ root, backend })
  try {
    const found: Word[] = kind === 'session' ? [[LATEST, 'the session that was last at work']] : []
    for await (const { id, header } of listAll(store.persistence, kind === 'trashed' ? { trashed: true } : {})) {
      if (found.length >= MOST_IDS) break
      found.push([visible(id), header?.cwd ?? ''])
    }
    return found
  } finally {
    await store.close()
  }
}
