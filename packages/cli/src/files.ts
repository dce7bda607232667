import { createReadStream, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliError } from './error.js'
import type { Io } from './terminal/io.js'

/** Stands for standard input in place of a file name. */
const STANDARD_INPUT = '-'

/** What lies at a path; undefined where there is nothing, nothing of these, or nothing that may be looked at. */
export function kindOf(path: string): 'file' | 'directory' | undefined {
  try {
    const stat = statSync(path)
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : undefined
  } catch {
    return undefined
  }
}

/**
 * A file, to be read as often as it takes; standard input for `-`.
 * @throws FILE_NOT_FOUND, FILE_FAILED, when it is read
 */
export function readFile(name: string, { stdin, cwd }: Pick<Io, 'stdin' | 'cwd'>) {
  if (name === STANDARD_INPUT) return stdin as AsyncIterable<Uint8Array>
  const path = resolve(cwd, name)
  return async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* createReadStream(path)
    } catch (error) {
      throw fileError('read', name, error)
    }
  }
}

/**
 * Writes a new file, whole or not at all; one that exists stays as it is.
 * @throws FILE_EXISTS, FILE_NOT_FOUND, FILE_FAILED, and what the pieces throw
 */
export async function writeNewFile(name: string, cwd: string, pieces: Iterable<string>): Promise<void> {
  const path = resolve(cwd, name)
  // A module that only this needs, and that takes longer to load than a hundred sessions to list.
  const { open, rm } = await import('node:fs/promises')
  const file = await open(path, 'wx').catch(error => {
    throw fileError('write', name, error)
  })
  try {
    for (const piece of pieces) {
      await file.writeFile(piece).catch(error => {
        throw fileError('write', name, error)
      })
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

function fileError(purpose: string, name: string, cause: unknown): CliError {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === 'EEXIST') {
    return new CliError('FILE_EXISTS', `cannot ${purpose} ${name}: it exists already, and nothing is overwritten`, {
      cause,
    })
  }
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
  return new CliError(isMissing ? 'FILE_NOT_FOUND' : 'FILE_FAILED', `cannot ${purpose} ${name}: ${message}`, { cause })
}
