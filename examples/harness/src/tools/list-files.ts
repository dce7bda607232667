import { stat } from 'node:fs/promises'
import { countArgument, textArgument } from './arguments.ts'
import type { Tool } from './tool.ts'

/** Lists files with their sizes. */
export const listFiles: Tool = {
  schema: {
    name: 'list_files',
    description:
      'Lists the files below a folder whose path matches a glob pattern, with their sizes in bytes, largest first. Hidden and generated folders are left out.',
    parameters: {
      type: 'object',
      properties: {
        folder: { type: 'string', description: 'Folder, relative to the working directory. Default: all of it.' },
        pattern: { type: 'string', description: 'Glob pattern below the folder. Default: **/*' },
        limit: { type: 'integer', description: 'Most files to name. Default: 100', minimum: 1, maximum: 400 },
      },
      additionalProperties: false,
    },
  },
  hasEffects: false,
  async run(args, { workspace, signal }) {
    const limit = countArgument(args, 'limit', { least: 1, most: 400, fallback: 100 })
    const files = await workspace.files(
      textArgument(args, 'folder', '.'),
      textArgument(args, 'pattern', '**/*'),
      signal,
    )
    const sized = await Promise.all(
      files.map(async file => ({ name: workspace.name(file), size: (await stat(file)).size })),
    )
    sized.sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1))
    const shown = sized.slice(0, limit).map(({ name, size }) => `${size} ${name}`)
    const rest = sized.length - shown.length
    const lines = [
      `${sized.length} files, largest first:`,
      ...shown,
      ...(rest > 0 ? [`… and ${rest} smaller ones`] : []),
    ]
    return { text: lines.join('\n'), meta: { files: sized.length } }
  },
}
