import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Argument, OperationName, Reply } from '../src/protocol.js'
import { packRecords } from '../src/record-block.js'
import { Server } from '../src/server.js'
import { header, prompt, toRecords } from './support/records.js'
import { temporaryFile } from './support/temporary.js'

function serve(file = temporaryFile()) {
  const replies = new Map<number, { reply: Reply; transfer: readonly ArrayBuffer[] }>()
  const parts: string[] = []
  const server = new Server((reply, transfer) => {
    if ('part' in reply) parts.push(reply.part)
    else replies.set(reply.number, { reply, transfer })
  })
  let number = 0
  async function ask<Name extends OperationName>(name: Name, argument: Argument<Name>) {
    const own = ++number
    await server.handle({ number: own, name, argument })
    const { reply, transfer } = replies.get(own)!
    return { ...reply, transfer } as { value?: never; error?: object; transfer: readonly ArrayBuffer[] }
  }
  const open = () => ask('openDatabase', { file, durability: 'none', busyTimeoutMs: 100 })
  return { file, ask, open, parts }
}

const blocks = [packRecords(toRecords([prompt(0, 'needle')]))]

describe('Server', () => {
  it('says what it opened', async () => {
    const { file, ask, open } = serve()
    const { value } = await open()
    expect(value).toMatchObject({ file, sqliteVersion: expect.stringMatching(/^3\.\d+/), identity: expect.any(String) })
    await ask('close', {})
  })

  it('refuses work before the database is open and after it was closed', async () => {
    const { ask, open } = serve()
    const refusal = { code: 'STORAGE_FAILED', details: { indeterminate: false } }
    expect((await ask('list', {})).error).toMatchObject(refusal)
    await open()
    await ask('close', {})
    await ask('close', {})
    expect((await ask('list', {})).error).toMatchObject(refusal)
  })

  it('sends a list in parts, and then whether it ended', async () => {
    const { ask, open, parts } = serve()
    await open()
    await ask('create', { header: header(), blocks })
    expect((await ask('listFacts', {})).value).toEqual({ hasMore: false, lastTrashed: 0 })
    expect(parts.map(part => JSON.parse(part))).toEqual([[expect.arrayContaining([{ ...header() }])]])
    await ask('close', {})
  })

  it('hands the buffers of a page over', async () => {
    const { ask, open } = serve()
    await open()
    const { value } = await ask('create', { header: header(), blocks })
    const { no } = value as unknown as { no: number }
    const range = { from: 0, to: 1, reverse: false, surface: false, rows: 1 }
    expect((await ask('read', { ref: { no, id: header().id }, ...range })).transfer).toHaveLength(2)
    expect((await ask('list', {})).transfer).toEqual([])
    await ask('close', {})
  })

  it('builds an index anew that turns out to be damaged when it is searched', async () => {
    const { file, ask, open } = serve()
    await open()
    await ask('create', { header: header(), blocks })
    const search = () => ask('search', { query: 'needle', options: {} })
    expect((await search()).value).toMatchObject({ hits: [{ seq: 0 }] })
    const other = new DatabaseSync(file)
    other.enableDefensive?.(false)
    other.exec("UPDATE texts_data SET block = x'00ff00ff00ff' WHERE id > 1")
    other.close()
    expect((await search()).value).toMatchObject({ hits: [{ seq: 0 }] })
    await ask('close', {})
  })

  it('builds the index anew on demand', async () => {
    const { file, ask, open } = serve()
    await open()
    await ask('create', { header: header(), blocks })
    const other = new DatabaseSync(file)
    other.exec('DELETE FROM texts WHERE rowid > 0')
    other.close()
    const search = async () => (await ask('search', { query: 'needle', options: {} })).value
    expect(await search()).toEqual({ hits: [] })
    await ask('rebuildSearch', {})
    expect(await search()).toMatchObject({ hits: [{ seq: 0 }] })
    await ask('close', {})
  })

  it('finishes an index that a process left half-way when it opens', async () => {
    const { file, ask, open } = serve()
    await open()
    await ask('create', { header: header(), blocks })
    const other = new DatabaseSync(file)
    other.exec('DELETE FROM texts WHERE rowid > 0; UPDATE text_index SET next = 0')
    other.close()
    await ask('close', {})
    await open()
    expect((await ask('search', { query: 'needle', options: {} })).value).toMatchObject({ hits: [{ seq: 0 }] })
    await ask('close', {})
  })
})
