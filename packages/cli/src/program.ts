import { Command as Commander, Option as CommanderOption } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { backendNames, backendRules } from './backends.js'
import type { Argument, Command } from './command.js'
import type { CommandEntry } from './commands/index.js'
import { commands } from './commands/index.js'
import { type OptionFacts, type OptionInput, optionName } from './option.js'
import { LOCAL_ROOT, ROOT_VARIABLE } from './root.js'
import { linesOf } from './terminal/wrap.js'

/** The options that every command has, but for `--json` where it prints none, by key. */
export const globalOptions = {
  root: {
    about: `the directory or database that holds the sessions, as --backend tells them apart (default: $${ROOT_VARIABLE}, else ${LOCAL_ROOT} here or above, else where the platform keeps data)`,
    value: 'dir',
    completes: 'directory',
  },
  backend: {
    about: `how the sessions are stored: jsonl or sqlite; ${backendRules.database} (default: ${backendRules.usual})`,
    value: 'name',
    completes: backendNames,
  },
  json: { about: 'print results as JSON' },
  quiet: { about: 'print results and errors only: no notes, no progress', short: 'q' },
  color: {
    about: 'when to use colours: auto, always or never (default: auto)',
    value: 'when',
    completes: ['auto', 'always', 'never'],
  },
} as const satisfies Record<string, OptionFacts>

/** Those of {@link globalOptions} that this command takes. */
export function commonOptions({ json: printed }: Command): Readonly<Record<string, OptionFacts>> {
  const { json: _, ...others } = globalOptions
  return printed === undefined ? others : globalOptions
}

/** The values of the options that every command has. */
export type GlobalValues = Readonly<Record<string, OptionInput>>

/** Takes a command line that was understood. */
export type Invoke = (command: Command, args: readonly string[], given: GlobalValues) => Promise<void>

/** Where commander prints. */
export interface HelpPage {
  readonly columns: number
  /** Prints help that was asked for. */
  print(text: string): void
  /** Prints help for want of a command. */
  printMissing(text: string): void
}

/** The program as commander knows it. Of the commands, only the one that the words ask for is loaded. */
export async function createProgram(words: readonly string[], page: HelpPage, invoke: Invoke): Promise<Commander> {
  const program = new Commander('dsh-session')
    .description('Look into, check, repair, import and export stored agent sessions.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help for the command')
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: page.columns,
      minWidthToWrap: 20,
      subcommandTerm: command => command.name(),
    })
    .usage('<command> [options]')
    .exitOverride()
    .configureOutput({ writeOut: page.print, writeErr: page.printMissing, outputError: () => {} })
  for (const [key, option] of Object.entries(globalOptions)) program.addOption(commanderOption(key, option))
  const asked = commandAsked(words)
  for (const entry of commands) {
    const sub = program
      .command(entry.name)
      .summary(entry.summary)
      .helpOption('-h, --help', 'print help for the command')
    if (entry === asked) await declare(sub, entry, page.columns, invoke)
  }
  declareHelp(program)
  return program
}

/** The `help` of commander takes a command that does not exist for none. */
function declareHelp(program: Commander): void {
  program
    .command('help [command]')
    .summary('print help for a command')
    .description('Prints the help of a command, or what commands there are.')
    .helpOption('-h, --help', 'print help for the command')
    .action(async (name: string | undefined) => {
      if (name === undefined) program.help()
      program.commands.find(command => command.name() === name)?.help()
      // As the name of a command, it is refused with the nearest one.
      await program.parseAsync(['--', name], { from: 'user' })
    })
}

/** The command whose help or work is asked for; undefined for none, or none that exists. */
function commandAsked(words: readonly string[]): CommandEntry | undefined {
  const queue = words.values()
  for (const word of queue) {
    const option = Object.entries(globalOptions).find(([key]) => optionName(key) === word)?.[1]
    if (option !== undefined && 'value' in option) queue.next()
    else if (!word.startsWith('-') && word !== 'help') return commands.find(({ name }) => name === word)
  }
  return undefined
}

async function declare(sub: Commander, entry: CommandEntry, columns: number, invoke: Invoke): Promise<void> {
  const command = await entry.load()
  sub.description(command.about)
  for (const argument of command.args ?? []) sub.argument(formatArgument(argument), argument.about)
  for (const [key, option] of Object.entries(command.options ?? {})) sub.addOption(commanderOption(key, option))
  if (command.json === undefined) {
    const others = sub.parent!.options.filter(({ long }) => long !== optionName('json'))
    sub.configureHelp({ ...sub.configureHelp(), visibleGlobalOptions: () => others })
  }
  sub.addHelpText('after', epilogue(command, columns))
  sub.action(async () => invoke(command, sub.args, sub.optsWithGlobals<GlobalValues>()))
}

/** An argument as usage lines show it. */
export function formatArgument({ name, takes = 'one' }: Argument): string {
  const word = takes === 'some' || takes === 'any' ? `${name}...` : name
  return takes === 'one' || takes === 'some' ? `<${word}>` : `[${word}]`
}

/** An option as help shows it. */
export function formatOption(key: string, { short, value }: OptionFacts): string {
  const name = short === undefined ? optionName(key) : `-${short}, ${optionName(key)}`
  return value === undefined ? name : `${name} <${value}>`
}

function commanderOption(key: string, option: OptionFacts): CommanderOption {
  const declared = new CommanderOption(formatOption(key, option), describeOption(option))
  return option.isList
    ? declared.argParser((word: string, before: readonly string[] | undefined) => [...(before ?? []), word])
    : declared
}

/** What an option does, and what holds without it. */
export function describeOption({ about, fallback }: OptionFacts): string {
  return fallback === undefined ? about : `${about} (default: ${fallback})`
}

function epilogue({ json, examples }: Command, columns: number): string {
  const lines = examples.flatMap(({ command, about }) => [`  ${command}`, `      ${about}`])
  const printed = json === undefined ? [] : [...linesOf(`With --json: ${json}`, columns), '']
  return ['', ...printed, 'Examples:', ...lines].join('\n')
}
