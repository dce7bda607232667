import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFiles } from '../../src/tools/list-files.ts'
import { readFile } from '../../src/tools/read-file.ts'
import { searchFiles } from '../../src/tools/search-files.ts'
import { writeFile } from '../../src/tools/write-file.ts'
import { contextOf, directoryWith, temporaryDirectory } from '../support/workspace.ts'

const code = (expected: string) => expect.objectContaining({ name: 'ToolError', code: expected })

describe('list_files', () => {
  it('lists the largest files first', async () => {
    const context = contextOf(directoryWith({ 'small.ts': 'x', 'src/large.ts': 'xxx', 'b.md': 'xx', 'a.md': 'xx' }))
    const { text, meta } = await listFiles.run({}, context)
    expect(text).toBe('4 files, largest first:\n3 src/large.ts\n2 a.md\n2 b.md\n1 small.ts')
    expect(meta).toEqual({ files: 4 })
  })

  it('lists the longest files first when asked for lines, and counts a last one without end', async () => {
    const files = { 'wide.ts': 'x'.repeat(99), 'long.ts': '\n\n\n', 'half.ts': 'x\ny', 'empty.ts': '' }
    const context = contextOf(directoryWith(files))
    expect((await listFiles.run({ by: 'lines' }, context)).text).toBe(
      '4 files, longest first:\n3 long.ts\n2 half.ts\n1 wide.ts\n0 empty.ts',
    )
    expect((await listFiles.run({ by: 'lines', limit: 1 }, context)).text).toMatch(/^… and 3 shorter ones$/m)
    await expect(listFiles.run({ by: 'words' }, context)).rejects.toEqual(code('INVALID_ARGUMENTS'))
  })

  it('names as many files as asked for, and says how many more there are', async () => {
    const context = contextOf(directoryWith({ a: 'x', b: 'xx', c: 'xxx' }))
    expect((await listFiles.run({ limit: 1 }, context)).text).toBe('3 files, largest first:\n3 c\n… and 2 smaller ones')
    await expect(listFiles.run({ limit: 0 }, context)).rejects.toEqual(code('INVALID_ARGUMENTS'))
    await expect(listFiles.run({ pattern: 7 }, context)).rejects.toEqual(code('INVALID_ARGUMENTS'))
  })
})

describe('read_file', () => {
  it('numbers the lines, and reads a part', async () => {
    const context = contextOf(directoryWith({ 'a.txt': 'one\ntwo\nthree\n' }))
    expect((await readFile.run({ path: 'a.txt' }, context)).text).toBe('a.txt, 3 lines\n1: one\n2: two\n3: three')
    expect((await readFile.run({ path: 'a.txt', from: 2, lines: 1 }, context)).text).toBe('a.txt, 3 lines\n2: two')
    expect((await readFile.run({ path: 'a.txt', from: 9 }, context)).text).toBe('a.txt, 3 lines')
  })

  it.each([
    ['what is not there', 'nope', 'ENOENT'],
    ['a folder', 'folder', 'NOT_A_FILE'],
    ['a binary file', 'binary', 'BINARY'],
    ['a huge file', 'huge', 'TOO_LARGE'],
    ['a path outside', '../x', 'OUTSIDE_WORKSPACE'],
  ])('refuses %s', async (_, path, expected) => {
    const huge = new Uint8Array(4 * 1024 * 1024 + 1)
    const context = contextOf(directoryWith({ 'folder/a': '', binary: 'a\0b', huge }))
    await expect(readFile.run({ path }, context)).rejects.toEqual(code(expected))
  })

  it('needs a path', async () => {
    await expect(readFile.run({}, contextOf(temporaryDirectory()))).rejects.toEqual(code('INVALID_ARGUMENTS'))
  })
})

describe('search_files', () => {
  it('answers with the places, and counts them', async () => {
    const directory = directoryWith({
      'a.ts': 'export one\nno\n  export two',
      'b.md': 'export three',
      binary: 'export\0',
    })
    const { text, meta } = await searchFiles.run({ pattern: '^\\s*export' }, contextOf(directory))
    expect(text).toBe('3 matches in 2 files\na.ts:1: export one\na.ts:3: export two\nb.md:1: export three')
    expect(meta).toEqual({ matches: 3, files: 2 })
    expect((await searchFiles.run({ pattern: 'export', files: '*.md' }, contextOf(directory))).meta).toEqual({
      matches: 1,
      files: 1,
    })
  })

  it('shows no more than 200 places', async () => {
    const context = contextOf(directoryWith({ a: 'x\n'.repeat(250) }))
    const { text } = await searchFiles.run({ pattern: 'x' }, context)
    expect(text.split('\n')).toHaveLength(202)
    expect(text).toMatch(/… and 50 more$/)
  })

  it('refuses a pattern that is none, and gives up one that backtracks for ages', async () => {
    const context = contextOf(directoryWith({ a: `${'a'.repeat(40)}b` }))
    await expect(searchFiles.run({ pattern: '(' }, context)).rejects.toEqual(code('INVALID_PATTERN'))
    await expect(searchFiles.run({ pattern: '^(a+)+$' }, context)).rejects.toEqual(code('PATTERN_TOO_SLOW'))
  })
})

describe('write_file', () => {
  it('creates a file with its folders, and replaces it', async () => {
    const directory = temporaryDirectory()
    const context = contextOf(directory)
    const first = await writeFile.run({ path: 'new/a.txt', content: 'ünïcode' }, context)
    expect(first).toEqual({ text: 'Created new/a.txt, 9 bytes.', meta: { bytes: 9, existed: false } })
    expect(await writeFile.run({ path: 'new/a.txt', content: '' }, context)).toMatchObject({
      text: 'Replaced new/a.txt, 0 bytes.',
    })
    expect(readFileSync(join(directory, 'new', 'a.txt'), 'utf8')).toBe('')
  })

  it('writes nothing outside, through a link either', async () => {
    const elsewhere = directoryWith({ secret: 'kept' })
    const directory = temporaryDirectory()
    symlinkSync(join(elsewhere, 'secret'), join(directory, 'link'))
    for (const path of ['link', '../secret', join(elsewhere, 'secret')]) {
      await expect(writeFile.run({ path, content: 'x' }, contextOf(directory))).rejects.toEqual(
        code('OUTSIDE_WORKSPACE'),
      )
    }
    expect(readFileSync(join(elsewhere, 'secret'), 'utf8')).toBe('kept')
  })
})
