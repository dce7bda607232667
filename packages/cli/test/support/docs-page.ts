import type { Argument, Command } from '../../src/command.js'
import { type CommandEntry, commands } from '../../src/commands/index.js'
import { cliErrorCodes, exitCodeOf, exitCodes } from '../../src/error.js'
import { OLDEST_NODE } from '../../src/node-version.js'
import type { OptionFacts, OptionTable } from '../../src/option.js'
import { describeOption, formatArgument, formatOption, globalOptions } from '../../src/program.js'

/** The page `docs/cli.md`, from the definitions of the commands. */
export async function renderDocsPage(): Promise<string> {
  const sections = await Promise.all(commands.map(async entry => renderCommand(entry, await entry.load())))
  return [
    '<!-- Generated from the commands: `npx -y pnpm@12 exec vitest run packages/cli/test/docs.spec.ts --update` writes it anew. -->',
    '# The command line',
    `\`dsh-session\`, from the package \`@dsh/cli\`, is for whoever has a root full of sessions and a question. It reads what a
harness is writing at that moment and disturbs nobody. Of the sessions that are there, only \`rm\`, \`prune\`, \`trash\` and
\`restore\` take ownership, and are refused while somebody else has it; all other commands read them, or make new ones. It
needs Node ${OLDEST_NODE} or newer; under an older one it says so and ends with code 1.`,
    renderList(commands),
    '## What all commands have in common',
    renderOptions(globalOptions),
    renderRules(),
    '## Exit codes',
    table(['Code', 'Meaning', 'Error codes'], exitRows()),
    `A failure is one line on standard error, \`dsh-session: CODE: what was expected and what was found (where)\`, or with
\`--json\` one object \`{ error: { code, message, session?, seq?, file?, line?, byte?, details? } }\`. Most codes are those of
[errors.md](errors.md); the command has some of its own:`,
    table(
      ['Code', 'Meaning'],
      Object.entries(cliErrorCodes).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    ...sections,
  ]
    .join('\n\n')
    .concat('\n')
}

function renderRules(): string {
  return `- An \`id\` may be cut to its start where that fits one session only; \`@latest\` is the session with the latest event. \`rm\`
  wants whole ids. An id with characters that cannot be typed can be given as it is shown. A session whose header cannot
  be read has no id that anybody knows; it is listed by another name, which all commands take.
- Results go to standard output; notes, progress and errors to standard error. Progress shows on a terminal only. Output
  into a reader that goes away, such as \`head\`, ends quietly with code 0.
- With \`--json\`, times are ISO 8601 in UTC; for people they are in the local zone. Commands that print many things print
  one object on each line. \`export\` and \`completion\`, whose results have forms of their own, refuse it.
- On a terminal lines are cut to its width, and tables drop columns that do not fit; elsewhere everything is whole.
- Colours are for terminals. \`NO_COLOR\` turns them off, \`--color always\` turns them on.
- Nothing that a session holds drives the terminal: control characters, bidirectional overrides and the like are shown as
  escapes such as \`\\x1b\` or \`\\u{202e}\`, in JSON as \`\\u001b\`, which parses to the same text.`
}

function exitRows(): string[][] {
  return Object.entries(exitCodes).map(([code, meaning]) => {
    const codes = Object.entries(exitCodeOf).filter(([, exitCode]) => exitCode === Number(code))
    return [code, meaning, codes.map(([name]) => `\`${name}\``).join(', ')]
  })
}

function renderList(entries: readonly CommandEntry[]): string {
  return table(
    ['Command', 'What it does'],
    entries.map(({ name, summary }) => [`[${name}](#${name})`, summary]),
  )
}

function renderCommand({ name }: CommandEntry, { about, args = [], options = {}, json, examples }: Command): string {
  const words = [
    'dsh-session',
    name,
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
    ...args.map(formatArgument),
  ]
  return [
    `## ${name}`,
    `\`${words.join(' ')}\``,
    about,
    ...(args.length > 0 || Object.keys(options).length > 0 ? [renderArguments(args, options)] : []),
    ...(json === undefined ? [] : [`With \`--json\`: ${json.includes('`') ? json : `\`${json}\``}`]),
    `\`\`\`sh\n${examples.map(({ command, about }) => `${command}  # ${about}`).join('\n')}\n\`\`\``,
  ].join('\n\n')
}

function renderArguments(args: readonly Argument[], options: OptionTable): string {
  return table(
    ['Word', 'What it is'],
    [
      ...args.map(argument => [`\`${formatArgument(argument)}\``, argument.about]),
      ...Object.entries(options).map(([key, option]) => [`\`${formatOption(key, option)}\``, describeOption(option)]),
    ],
  )
}

function renderOptions(options: Readonly<Record<string, OptionFacts>>): string {
  return table(
    ['Option', 'What it does'],
    Object.entries(options).map(([key, option]) => [`\`${formatOption(key, option)}\``, describeOption(option)]),
  )
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n')
}
