import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionEvent, SessionId } from '@dsh/session'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEvents, startOfLast } from '../../src/reading/read-events.js'
import { openStore, type Store } from '../../src/store.js'
import { TestRoot } from '../support/root.js'

const LENGTH = 200
const id = 's' as SessionId
const { signal } = new AbortController()
let folder: string
let store: Store

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dsh-cli-'))
  const root = new TestRoot(folder)
  // Four pages and more: one holds a megabyte.
  const text = 'x'.repeat(20_000)
  const events = Array.from({ length: LENGTH }, (_, seq) => ({
    type: `test/${seq % 7}`,
    seq,
    time: seq,
    data: { text },
  }))
  await root.store(id, events as unknown as SessionEvent[], {}, 50)
  store = await openStore({ root: folder, backend: 'jsonl' })
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

async function seqs(from: number, to: number): Promise<number[]> {
  const found: number[] = []
  for await (const { seq } of readEvents(store.persistence, id, { from, to, signal })) found.push(seq)
  return found
}

const numbers = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)

describe('readEvents', () => {
  it('gives every event of the range once, over many pages', async () => {
    expect(await seqs(0, Number.POSITIVE_INFINITY)).toEqual(numbers(0, LENGTH))
    expect(await seqs(23, 171)).toEqual(numbers(23, 171))
    expect(await seqs(LENGTH, Number.POSITIVE_INFINITY)).toEqual([])
    expect(await seqs(10, 10)).toEqual([])
    expect(await seqs(190, 9_999)).toEqual(numbers(190, LENGTH))
  })

  it('refuses to begin behind the end', async () => {
    await expect(seqs(LENGTH + 1, Number.POSITIVE_INFINITY)).rejects.toMatchObject({ code: 'INVALID_BOUNDARY' })
  })

  it('stops when somebody interrupts', async () => {
    const stopped = readEvents(store.persistence, id, { from: 0, to: 9, signal: AbortSignal.abort() })
    await expect(stopped.next()).rejects.toThrow('aborted')
  })
})

describe('startOfLast', () => {
  it('finds where the last matching events begin, as reading everything would', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.constantFrom('test/0', 'test/3', 'none/x', undefined), async (most, type) => {
        const matches = (event: { readonly type: string }) => type === undefined || event.type === type
        const start = await startOfLast(store.persistence, id, LENGTH, most, matches, signal)
        const all = numbers(0, LENGTH).filter(seq => matches({ type: `test/${seq % 7}` }))
        const wanted = most === 0 ? [] : all.slice(-most)
        expect(all.filter(seq => seq >= start)).toEqual(wanted)
      }),
      { numRuns: 12 },
    )
  })
})
