import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { choiceArgument, countArgument, textArgument } from './arguments.ts'
import type { Tool } from './tool.ts'

/** What files can be measured by. */
const measures = {
  bytes: { most: 'largest', less: 'smaller', of: async (file: string) => (await stat(file)).size },
  lines: { most: 'longest', less: 'shorter', of: countLines },
}

/** Lists files with their sizes. */
export const listFiles: Tool = {
  schema: {
    name: 'list_files',
    description:
      'Lists the files below a folder whose path matches a glob pattern, with their sizes, largest first. Hidden and generated folders are left out.',
    parameters: {
      type: 'object',
      properties: {
        folder: { type: 'string', description: 'Folder, relative to the working directory. Default: all of it.' },
        pattern: { type: 'string', description: 'Glob pattern below the folder. Default: **/*' },
        by: { type: 'string', enum: Object.keys(measures), description: 'What sizes are counted in. Default: bytes' },
        limit: { type: 'integer', description: 'Most files to name. Default: 100', minimum: 1, maximum: 400 },
      },
      additionalProperties: false,
    },
  },
  hasEffects: false,
  async run(args, { workspace, signal }) {
    const { most, less, of } = measures[choiceArgument(args, 'by', ['bytes', 'lines'])]
    const limit = countArgument(args, 'limit', { least: 1, most: 400, fallback: 100 })
    const files = await workspace.files(
      textArgument(args, 'folder', '.'),
      textArgument(args, 'pattern', '**/*'),
      signal,
    )
    const sized: { readonly name: string; readonly size: number }[] = []
    for (const file of files) {
      signal.throwIfAborted()
      sized.push({ name: workspace.name(file), size: await of(file) })
    }
    sized.sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1))
    const shown = sized.slice(0, limit).map(({ name, size }) => `${size} ${name}`)
    const rest = sized.length - shown.length
    const lines = [
      `${sized.length} files, ${most} first:`,
      ...shown,
      ...(rest > 0 ? [`… and ${rest} ${less} ones`] : []),
    ]
    return { text: lines.join('\n'), meta: { files: sized.length } }
  },
}

/** As an editor counts: a last line needs no end. */
async function countLines(file: string): Promise<number> {
  let lines = 0
  let last = END_OF_LINE
  for await (const chunk of createReadStream(file)) {
    for (const byte of chunk as Buffer) if (byte === END_OF_LINE) lines++
    last = (chunk as Buffer).at(-1)!
  }
  return last === END_OF_LINE ? lines : lines + 1
}

const END_OF_LINE = 10
