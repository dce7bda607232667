import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SessionEvent, SessionId } from '@dsh/session'
import { decodeRow } from '@dsh/session'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JsonlDriver } from '../src/driver.js'
import { sessionPaths } from '../src/layout.js'
import { writeLog } from './support/log-bytes.js'
import { collect, delta, event, lines, prompt, sampleEvents, toRecords } from './support/records.js'

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))
const page = readFileSync(path('docs/format.md'), 'utf8')
const example = /```jsonl\n(.*?)```/s.exec(page)![1]!
const reader = path('scripts/read-log.mjs')

let root: string
let driver: JsonlDriver

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'format-'))
  driver = new JsonlDriver({ root, durability: 'none' })
})

afterEach(async () => {
  await driver.close()
  rmSync(root, { recursive: true })
})

function put(id: string, parts: Record<number, Buffer | string>): string {
  const { directory } = sessionPaths(root, id)
  mkdirSync(directory, { recursive: true })
  for (const [seq, bytes] of Object.entries(parts)) writeFileSync(join(directory, `log-${seq}.jsonl`), bytes)
  return directory
}

/** What the script prints; undefined when it fails. */
function runReader(directory: string): SessionEvent[] | undefined {
  try {
    const output = execFileSync(process.execPath, [reader, directory], { encoding: 'utf8', stdio: 'pipe' })
    return output
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  } catch {
    return undefined
  }
}

async function runDriver(id: string): Promise<SessionEvent[] | undefined> {
  try {
    const handle = await driver.open(id as SessionId, 'read')
    return (await collect(handle.read({}))).flatMap(record => decodeRow(record))
  } catch {
    return undefined
  }
}

describe('docs/format.md', () => {
  it('shows a log as it is written, byte for byte', async () => {
    const written = example
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
    const [head, ...rest] = written
    const { type: _, ...header } = head
    const batches: SessionEvent[][] = [[]]
    const directory = put('chat', { 0: example })
    const events = runReader(directory)!
    expect(events.length).toBeGreaterThan(6)
    for (const { type, next } of rest) {
      if (type === 'commit') batches.push(events.slice(batches.flat().length, next))
    }
    batches.shift()
    rmSync(directory, { recursive: true })
    const handle = await driver.create(header, toRecords(batches[0]!))
    for (const batch of batches.slice(1)) await handle.append(handle.nextSeq, toRecords(batch))
    expect(readFileSync(driver.locate(header), 'utf8')).toBe(example)
  })

  it('names the directory of a session as it is named', () => {
    put('chat', { 0: example })
    expect(page).toContain('the first 32 hexadecimal digits of the SHA-256 of the id in UTF-16LE')
    expect(sessionPaths(root, 'chat').slug).toBe('chat-71cc23dee89d77bb827768aef198eb6e')
  })
})

describe('scripts/read-log.mjs', () => {
  it('is short, and needs nothing but Node', () => {
    const text = readFileSync(reader, 'utf8')
    expect(text.split('\n').length).toBeLessThanOrEqual(60)
    expect([...text.matchAll(/from '(.*)'/g)].map(([, name]) => name)).toEqual(['node:fs', 'node:zlib'])
  })

  it('reads whatever the driver reads, and as the driver does', async () => {
    const sources = Array.from({ length: 30 }, (_, seq) => seq).filter(seq => seq % 7 !== 3)
    const call = (seq: number, name?: string) => {
      const chunk = {
        type: 'tool-call-delta',
        index: 1,
        id: 'c',
        ...(name && { name }),
        argumentsDelta: `{"🙂":${seq}`,
      }
      return { type: 'assistant/chunk', seq, time: 9 - seq, data: { turn: 1, step: 1, chunk } } as never
    }
    const cited = { ...prompt(30, 'cites'), sourceEventSeqs: sources } as SessionEvent
    const odd = [
      call(31),
      call(32),
      call(33, 'read'),
      call(34, 'read'),
      delta(35, ''),
      delta(36, '\ud83d'),
      delta(37, '\ude42'),
    ]
    const handle = await driver.create(
      { version: 1, id: 'rich' as SessionId, createdAt: 1 },
      toRecords(sampleEvents(30)),
    )
    await handle.append(30, toRecords([cited, ...odd]))
    const expected = await runDriver('rich')
    expect(expected).toHaveLength(38)
    expect(runReader(sessionPaths(root, 'rich').directory)).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  const log = writeLog([5, 7, 3, 30])
  const cut = log.edges[2]!
  const head = log.bytes.subarray(0, log.edges[0]!.byte)
  const foreign = lines(log.records)
  const row = `${lines(toRecords([event(45)]))[0]}\n`

  it.each<[string, Record<number, Buffer | string>]>([
    ['an empty session', { 0: writeLog([0]).bytes }],
    [
      'several parts',
      { 0: log.bytes.subarray(0, cut.byte), [cut.next]: Buffer.concat([head, log.bytes.subarray(cut.byte)]) },
    ],
    ['a torn tail', { 0: log.bytes.subarray(0, log.bytes.length - 300) }],
    ['kept rows', { 0: Buffer.concat([log.bytes, Buffer.from(`${row.slice(0, 20)}\n${row}${row}{"type`)]) }],
    ['a tail that is no part of it', { 0: Buffer.concat([log.bytes, Buffer.from(`no\nrow\n${row}`)]) }],
    ['a row out of place in the tail', { 0: Buffer.concat([log.bytes, Buffer.from(`${foreign[3]}\n${row}`)]) }],
    ['a whole line that is no row in the tail', { 0: Buffer.concat([log.bytes, Buffer.from(`null\n${row}`)]) }],
    ['a row that was not ended', { 0: Buffer.concat([log.bytes, Buffer.from(row.trimEnd())]) }],
    ['zeros', { 0: Buffer.concat([log.bytes, Buffer.alloc(5_000)]) }],
    ['a foreign log', { 0: `\ufeff${head.toString().trimEnd()}\r\n\r\n${foreign.join('\r\n \n')}` }],
    ['a foreign log that is torn', { 0: `${head}${foreign.join('\n').slice(0, -10)}` }],
    ['a rotten byte', { 0: Buffer.from(log.bytes.toString().replace('prompt 10', 'promqt 10')) }],
    [
      'a batch that is left out',
      { 0: Buffer.concat([log.bytes.subarray(0, log.edges[1]!.byte), log.bytes.subarray(cut.byte)]) },
    ],
    [
      'a batch that is there twice',
      { 0: Buffer.concat([log.bytes.subarray(0, cut.byte), log.bytes.subarray(log.edges[1]!.byte)]) },
    ],
    ['a newer version', { 0: log.bytes.toString().replace('"version":1', '"version":2') }],
  ])('agrees with the driver about %s', async (_, parts) => {
    const directory = put('s', parts)
    const expected = await runDriver('s')
    expect(runReader(directory)).toEqual(expected && JSON.parse(JSON.stringify(expected)))
  })
})
