import { open } from 'node:fs/promises'
import { ToolError } from './tool.ts'

/** Largest file that is read as text, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024

/** The text of a file. @throws ToolError for a folder, a binary file and one that is too large */
export async function readTextFile(path: string, name: string, signal: AbortSignal): Promise<string> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new ToolError(
      error.code ?? 'UNREADABLE',
      `"${name}" cannot be read: ${reasons[error.code ?? ''] ?? error.code}.`,
    )
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new ToolError('NOT_A_FILE', `"${name}" is not a file.`)
    if (stats.size > MAX_BYTES)
      throw new ToolError('TOO_LARGE', `"${name}" has ${stats.size} bytes, more than ${MAX_BYTES}.`)
    const bytes = await file.readFile({ signal })
    if (bytes.includes(0)) throw new ToolError('BINARY', `"${name}" is not a text file.`)
    return bytes.toString('utf8')
  } finally {
    await file.close()
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}
