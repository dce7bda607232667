import { createContext, Script } from 'node:vm'
import { textArgument } from './arguments.ts'
import { readTextFile } from './text-file.ts'
import { type Tool, ToolError } from './tool.ts'

const MAX_MATCHES = 200
const MAX_LINE = 300
/** Milliseconds that a pattern may take on one file: some backtrack for ages. */
const MAX_MS = 1000

/** Searches files for a regular expression. */
export const searchFiles: Tool = {
  schema: {
    name: 'search_files',
    description: 'Searches text files for a regular expression, line by line. Answers with path, line number and line.',
    parameters: {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'Regular expression in JavaScript syntax.' },
        files: { type: 'string', description: 'Glob pattern of the files to search. Default: **/*' },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
  },
  hasEffects: false,
  async run(args, { workspace, signal }) {
    const matches = matcher(textArgument(args, 'pattern'))
    const found: string[] = []
    let files = 0
    for (const file of await workspace.files('.', textArgument(args, 'files', '**/*'), signal)) {
      const name = workspace.name(file)
      const text = await readTextFile(file, name, signal).catch(skipUnreadable)
      const lines = matches(text)
      if (lines.length > 0) files++
      found.push(...lines.map(({ number, line }) => `${name}:${number}: ${line}`))
    }
    const rest = found.length - MAX_MATCHES
    const lines = [
      `${found.length} matches in ${files} files`,
      ...found.slice(0, MAX_MATCHES),
      ...(rest > 0 ? [`… and ${rest} more`] : []),
    ]
    return { text: lines.join('\n'), meta: { matches: found.length, files } }
  },
}

function matcher(pattern: string): (text: string) => { number: number; line: string }[] {
  let regexp: RegExp
  try {
    regexp = new RegExp(pattern)
  } catch (error) {
    throw new ToolError('INVALID_PATTERN', (error as Error).message)
  }
  let text = ''
  const match = () =>
    text
      .split('\n')
      .flatMap((line, at) => (regexp.test(line) ? { number: at + 1, line: line.trim().slice(0, MAX_LINE) } : []))
  const context = createContext({ match })
  const script = new Script('match()')
  return next => {
    text = next
    try {
      return script.runInContext(context, { timeout: MAX_MS })
    } catch {
      throw new ToolError('PATTERN_TOO_SLOW', `The pattern takes longer than ${MAX_MS} ms on one file.`)
    }
  }
}

function skipUnreadable(error: unknown): string {
  if (error instanceof ToolError) return ''
  throw error
}
