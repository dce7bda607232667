import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { kindOf, readFile, writeNewFile } from '../src/files.js'
import { temporary } from './support/root.js'
import { createIo } from './support/run.js'

async function textOf(source: ReturnType<typeof readFile>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of typeof source === 'function' ? source() : source) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('kindOf', () => {
  it('tells files and directories from everything else', () => {
    const cwd = temporary()
    writeFileSync(join(cwd, 'file'), '')
    expect(kindOf(cwd)).toBe('directory')
    expect(kindOf(join(cwd, 'file'))).toBe('file')
    expect(kindOf(join(cwd, 'none'))).toBeUndefined()
    expect(kindOf(join(cwd, 'file', 'below'))).toBeUndefined()
    expect(kindOf('/dev/null')).toBeUndefined()
    expect(kindOf('a\u0000b')).toBeUndefined()
  })
})

describe('readFile', () => {
  it('reads a file below the working directory, as often as it takes', async () => {
    const cwd = temporary()
    writeFileSync(join(cwd, 'a.json'), 'text')
    const source = readFile('a.json', { ...createIo().io, cwd })
    expect(await textOf(source)).toBe('text')
    expect(await textOf(source)).toBe('text')
  })

  it('reads standard input for a dash', async () => {
    expect(await textOf(readFile('-', { cwd: '/', stdin: Readable.from([Buffer.from('in')]) }))).toBe('in')
  })

  it('says which file is missing, and which cannot be read', async () => {
    const cwd = temporary()
    const read = (name: string) => textOf(readFile(name, { ...createIo().io, cwd }))
    await expect(read('none')).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('none'),
    })
    await expect(read('.')).rejects.toMatchObject({ code: 'FILE_FAILED' })
  })
})

describe('writeNewFile', () => {
  it('writes a file, and overwrites none', async () => {
    const cwd = temporary()
    await writeNewFile('a.md', cwd, ['te', 'xt'])
    for (const name of ['a.md', '.']) {
      await expect(writeNewFile(name, cwd, ['other'])).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    }
    expect(readFileSync(join(cwd, 'a.md'), 'utf8')).toBe('text')
    await expect(writeNewFile('no/a.md', cwd, ['x'])).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })

  it('leaves no half of a file behind', async () => {
    const cwd = temporary()
    const pieces = function* () {
      yield 'half'
      throw new Error('no more')
    }
    await expect(writeNewFile('a.md', cwd, pieces())).rejects.toThrow('no more')
    expect(readdirSync(cwd)).toEqual([])
  })
})
