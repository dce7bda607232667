import { type ExportFormat, exportChunks, exportFormats } from '@dsh/transcript-import'
import { defineCommand } from '../command.js'
import { writeNewFile } from '../files.js'
import { findSession } from '../find-session.js'
import { flag, list, text, value } from '../option.js'
import { oneOf, usage } from '../parse-value.js'
import { escapeJson, visibleLines } from '../terminal/visible.js'

/** What stands in the place of what was to be hidden. */
const HIDDEN = '[redacted]'

const readable: readonly ExportFormat[] = ['markdown', 'html']

export default defineCommand({
  about:
    'Writes a session in another form: Markdown or a page of HTML for reading, a message list for the API of Anthropic or ' +
    'OpenAI, or the plain log as JSON lines, which imports exactly. On standard output, control characters become ' +
    'escapes; a file holds them as they are.',
  args: [{ name: 'id', about: 'the session: its id, the start of it, or @latest', completes: 'session' }],
  options: {
    format: value('format', `one of ${exportFormats.join(', ')}`, oneOf('--format', exportFormats), {
      completes: exportFormats,
      fallback: 'markdown',
    }),
    output: text('file', 'write a new file in place of standard output; one that exists is never overwritten', {
      short: 'o',
      completes: 'file',
    }),
    strict: flag("only what the provider's API defines, in a message list"),
    redact: list('pattern', `put ${HIDDEN} in the place of what this regular expression finds; can be repeated`),
  },
  examples: [
    { command: 'dsh-session export demo', about: 'A transcript in Markdown.' },
    { command: 'dsh-session export demo --format html -o demo.html', about: 'A page for the browser, in one file.' },
    {
      command: "dsh-session export demo --format openai --redact '/home/[a-z]+'",
      about: 'Messages without the names of homes.',
    },
  ],
  async run({ io, out, store, note }, [name], options) {
    const { format = 'markdown', output, strict } = options
    const redact = redactor(options.redact)
    const { persistence } = await store()
    const { id } = await findSession(persistence, name!)
    const { view } = await persistence.load(id)
    const pieces = exportChunks(view, format, { strict, ...(redact && { redact }) })
    if (output !== undefined) {
      await writeNewFile(output, io.cwd, pieces)
      note(`wrote ${output}`)
      return 0
    }
    const makeSafe = readable.includes(format) ? visibleLines : escapeJson
    for (const piece of pieces) {
      out.safe(makeSafe(piece))
      await out.relieve()
    }
    return 0
  },
})

function redactor(patterns: readonly string[]): ((text: string) => string) | undefined {
  if (patterns.length === 0) return undefined
  const expressions = patterns.map(compile)
  return text => expressions.reduce((rest, expression) => rest.replace(expression, HIDDEN), text)
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'gu')
  } catch (error) {
    throw usage(`--redact takes a regular expression: ${(error as Error).message}`)
  }
}
