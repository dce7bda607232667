import type { ReadRange, StoredRecord } from '@dsh/persistence/driver'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Connection } from '../src/connection.js'
import { readSession } from '../src/read-session.js'
import { packRecords } from '../src/record-block.js'
import { startHere } from './support/here.js'
import { collect, event, header, plain, sampleEvents, toRecords } from './support/records.js'
import { temporaryFile } from './support/temporary.js'

async function stored(records: readonly StoredRecord[]) {
  const connection = new Connection({ file: temporaryFile(), durability: 'none', busyTimeoutMs: 100 }, startHere)
  onTestFinished(() => connection.close())
  const { no } = await connection.call('create', { header: header(), blocks: [packRecords(records)] })
  const ref = { no, id: header().id }
  let pages = 0
  const call = connection.call.bind(connection)
  connection.call = ((name: 'read', argument: never) => {
    if (name === 'read') pages++
    return call(name, argument)
  }) as typeof call
  const read = (range: ReadRange = {}, signal?: AbortSignal) => readSession(connection, ref, range, {}, signal)
  return { connection, ref, read, pages: () => pages }
}

describe('readSession', () => {
  it('gives everything in pages of about a megabyte', async () => {
    const records = toRecords(Array.from({ length: 1_000 }, (_, seq) => event(seq, 'x'.repeat(20_000))))
    const { read } = await stored(records)
    const sizes: number[] = []
    const found: StoredRecord[] = []
    for await (const page of read()) {
      sizes.push(page.reduce((sum, { body }) => sum + body.length, 0))
      found.push(...page)
    }
    expect(found.map(plain)).toEqual(records.map(plain))
    expect(Math.max(...sizes)).toBeLessThan(2 << 20)
    expect(sizes.length).toBeLessThan(40)
  })

  it('asks for no more than it is likely to be asked for', async () => {
    const { read, pages } = await stored(toRecords(sampleEvents(10_000)))
    for await (const _ of read({ reverse: true, from: 9_999 })) break
    expect(pages()).toBe(1)
    for await (const _ of read()) break
    expect(pages()).toBe(3)
  })

  it('says where the log ended', async () => {
    const { connection, ref } = await stored(toRecords(sampleEvents(7)))
    let end = 0
    const found = (seq: number) => {
      end = seq
    }
    await collect(readSession(connection, ref, { to: 3 }, { found }))
    expect(end).toBe(7)
  })

  it('ends with the reason of its signal, before the first page or between two', async () => {
    const { read } = await stored(toRecords(sampleEvents(5_000)))
    await expect(collect(read({}, AbortSignal.abort(new Error('enough'))))).rejects.toThrow('enough')
    const controller = new AbortController()
    const reading = (async () => {
      for await (const _ of read({}, controller.signal)) controller.abort(new Error('seen it'))
    })()
    await expect(reading).rejects.toThrow('seen it')
  })

  it('passes on what goes wrong with a later page', async () => {
    const { connection, read } = await stored(toRecords(sampleEvents(5_000)))
    const reading = (async () => {
      for await (const _ of read()) await connection.call('remove', { id: header().id, trashed: false })
    })()
    await expect(reading).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
})
