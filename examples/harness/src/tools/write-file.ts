import { mkdir, stat, writeFile as write } from 'node:fs/promises'
import { dirname } from 'node:path'
import { textArgument } from './arguments.ts'
import type { Tool } from './tool.ts'

/** Writes a file. */
export const writeFile: Tool = {
  schema: {
    name: 'write_file',
    description: 'Writes a text file, in place of what it held before. Folders are created as needed.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'File, relative to the working directory.' },
        content: { type: 'string', description: 'All of its content.' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
  },
  hasEffects: true,
  async run(args, { workspace, signal }) {
    const path = textArgument(args, 'path')
    const content = textArgument(args, 'content')
    const target = await workspace.resolve(path)
    const existed = await stat(target).then(
      () => true,
      () => false,
    )
    await mkdir(dirname(target), { recursive: true })
    await write(target, content, { signal })
    const bytes = Buffer.byteLength(content)
    return { text: `${existed ? 'Replaced' : 'Created'} ${path}, ${bytes} bytes.`, meta: { bytes, existed } }
  },
}
