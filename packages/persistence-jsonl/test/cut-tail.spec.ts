import { describe, expect, it } from 'vitest'
import { holdsCompleteLine, saveBeside } from '../src/cut-tail.js'
import { Root } from '../src/root.js'
import { memorySource } from '../src/source.js'
import { memoryLocker } from './support/memory-locker.js'
import { MemoryDisk, putFile } from './support/memory-root.js'

const NUL = '\u0000'

describe('holdsCompleteLine', () => {
  it.each([
    ['', false],
    ['{"type":"x"', false],
    ['{"type":"x"}', true],
    ['{"a":1}\n', true],
    ['{"a":1}\r\n', true],
    ['of a line}\n{"b', false],
    ['of a line}\n{"b":2}\n{"c', true],
    [`{"a"${NUL}:1}\n`, false],
    [`${NUL}${NUL}${NUL}\n`, false],
    [`${NUL}{"a":1}\n`, false],
    [`${NUL}\n{"a":1}`, true],
  ])('finds in %j a line that looks whole: %s', async (text, expected) => {
    const bytes = Buffer.from(`before${text}`)
    expect(await holdsCompleteLine(memorySource(bytes), 6, bytes.length)).toBe(expected)
  })
})

describe('saveBeside', () => {
  it('copies the bytes durably, and once however often it is done', async () => {
    const disk = new MemoryDisk()
    await putFile(disk, '/base/s/log-0.jsonl', 'x')
    const root = new Root('/base', 'fsync', disk, memoryLocker())
    const bytes = Buffer.from('kept and cut')
    for (let round = 0; round < 2; round++) {
      const path = await saveBeside(root, '/base/s', memorySource(bytes), 9, 12)
      expect(path).toMatch(/^\/base\/s\/cut-9-[0-9a-f]{8}\.bytes$/)
      const node = disk.find(path)
      expect(node?.kind === 'file' && node.durable.toString()).toBe('cut')
    }
    expect(await disk.readdir('/base/s')).toHaveLength(2)
    expect(disk.names.filter(({ directories }) => directories.includes(disk.find('/base/s') as never))).toEqual([])
  })
})
