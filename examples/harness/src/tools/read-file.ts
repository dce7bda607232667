import { countArgument, textArgument } from './arguments.ts'
import { readTextFile } from './text-file.ts'
import type { Tool } from './tool.ts'

/** Reads a file, or a part of it, with line numbers. */
export const readFile: Tool = {
  schema: {
    name: 'read_file',
    description: 'Reads a text file, or a part of it. Lines are numbered.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'File, relative to the working directory.' },
        from: { type: 'integer', description: 'First line to read. Default: 1', minimum: 1 },
        lines: { type: 'integer', description: 'Number of lines to read. Default: 200', minimum: 1, maximum: 1000 },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
  hasEffects: false,
  async run(args, { workspace, signal }) {
    const path = textArgument(args, 'path')
    const from = countArgument(args, 'from', { least: 1, most: Number.MAX_SAFE_INTEGER, fallback: 1 })
    const count = countArgument(args, 'lines', { least: 1, most: 1000, fallback: 200 })
    const text = await readTextFile(await workspace.resolve(path), path, signal)
    const all = text.replace(/\n$/, '').split('\n')
    const shown = all.slice(from - 1, from - 1 + count).map((line, at) => `${from + at}: ${line}`)
    return { text: [`${path}, ${all.length} lines`, ...shown].join('\n'), meta: { lines: all.length } }
  },
}
