import { mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFile } from '../../src/database/create-file.js'
import { temporaryDirectory } from '../support/temporary.js'

const mode = (path: string) => statSync(path).mode & 0o777

describe('createFile', () => {
  it('creates an empty file and what is above it, for the owner only', () => {
    const file = join(temporaryDirectory(), 'a', 'b', 'sessions.db')
    expect(createFile(file)).toBe(realpathSync(file))
    expect(statSync(file).size).toBe(0)
    if (process.platform === 'win32') return
    expect([file, dirname(file), dirname(dirname(file))].map(mode)).toEqual([0o600, 0o700, 0o700])
  })

  it('leaves a file that is there alone', () => {
    const file = join(temporaryDirectory(), 'sessions.db')
    writeFileSync(file, 'content')
    createFile(file)
    expect(readFileSync(file, 'utf8')).toBe('content')
  })

  it.skipIf(process.platform === 'win32')('gives the path behind symbolic links', () => {
    const directory = realpathSync(temporaryDirectory())
    mkdirSync(join(directory, 'real'))
    symlinkSync(join(directory, 'real'), join(directory, 'link'))
    expect(createFile(join(directory, 'link', 'sessions.db'))).toBe(join(directory, 'real', 'sessions.db'))
  })

  it.each(['', '/'])('refuses a directory, written with %j at its end', end => {
    const file = temporaryDirectory() + end
    const refusal = { code: 'STORAGE_FAILED', expected: 'a file', found: 'a directory', file }
    expect(() => createFile(file)).toThrow(expect.objectContaining(refusal))
  })

  it('says why it could not', () => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'file'), '')
    expect(() => createFile(join(directory, 'file', 'sessions.db'))).toThrow(/ENOTDIR|EEXIST/)
  })
})
