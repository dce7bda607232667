import type { Part } from './action.ts'
import { perform, performOne } from './perform.ts'

/** Searches for a text and says where it is. */
export function* searchFor(text: string): Part<string> {
  const pattern = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const result = yield* performOne(`I search for "${text}".`, { tool: 'search_files', args: { pattern } })
  if (result.isError) return `The search failed: ${result.text}`
  const [total = '', ...matches] = result.text.split('\n')
  const counts = new Map<string, number>()
  for (const [, file] of matches.join('\n').matchAll(/^(.+?):\d+: /gm)) counts.set(file!, (counts.get(file!) ?? 0) + 1)
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, 5)
  const isAll = !matches.at(-1)?.startsWith('… and ')
  return [
    `"${text}": ${total}.${isAll ? '' : ' Of those that I was shown:'}`,
    ...most.map(([file, count]) => `- ${file}: ${count}`),
  ].join('\n')
}

/** Reads a file and says what it is made of. */
export function* describeFile(path: string): Part<string> {
  const result = yield* performOne(`I read ${path}.`, { tool: 'read_file', args: { path } })
  if (result.isError) return result.text
  const [title = '', ...numbered] = result.text.split('\n')
  const lines = numbered.map(line => line.replace(/^\d+: /, ''))
  const headings = lines.filter(line => /^#+ |^export /.test(line)).slice(0, 12)
  const begin = lines.find(line => line.trim() !== '')?.slice(0, 120)
  if (headings.length > 0) return [`${title}:`, ...headings.map(line => `- ${line}`)].join('\n')
  return begin === undefined ? `${title}: it is empty.` : `${title}. It begins: ${begin}`
}

/** Runs a command and says how it ended. */
export function* runIt(command: string): Part<string> {
  const result = yield* performOne(`I run \`${command}\`.`, { tool: 'run_command', args: { command } })
  const [end = '', ...output] = result.text.split('\n')
  if (result.isError) return `\`${command}\` failed: ${end}`
  const printed = output.length === 0 ? 'printed nothing' : `printed:\n${output.slice(-5).join('\n')}`
  return `\`${command}\` ended with ${end} and ${printed}`
}

/** Writes a text to a file. */
export function* writeIt(path: string, text: string): Part<string> {
  const call = { tool: 'write_file', args: { path, content: `# Report\n\n${text}\n` } }
  const result = yield* performOne(`I write it to ${path}.`, call)
  return result.isError ? `${path} could not be written: ${result.text}` : `${path} is written.`
}

/** Looks around and says what can be asked. */
export function* lookAround(): Part<string> {
  const [files, readme] = yield* perform({
    say: 'I look around.',
    calls: [
      { tool: 'list_files', args: { pattern: '*' } },
      { tool: 'read_file', args: { path: 'README.md', lines: 20 } },
    ],
  })
  const about = readme!.isError ? undefined : /^\d+: (\w.*)$/m.exec(readme!.text)?.[1]
  const count = /^\d+ files/.exec(files!.text)?.[0] ?? 'nothing that I can list'
  return [
    `This directory holds ${count} at its top.${about === undefined ? '' : ` Its README says: ${about}`}`,
    'I plan by rules and understand requests like these, also several in one:',
    '- find the 3 longest source files and summarise their exports',
    '- search for "some text"',
    '- read docs/page.md',
    '- run `a command`',
    '- write it to report.md',
    '- what have we done so far?',
  ].join('\n')
}
