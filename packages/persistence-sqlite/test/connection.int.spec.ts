import { copyFileSync, rmSync } from 'node:fs'
import type { SessionId } from '@dsh/session'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Connection } from '../src/connection.js'
import { packRecords } from '../src/record-block.js'
import type { Host, HostEvents, StartHost } from '../src/thread.js'
import { startHere } from './support/here.js'
import { event, header, T0, toRecords } from './support/records.js'
import { temporaryFile } from './support/temporary.js'

/** Hosts that a test can watch, and kill before or after they have carried out what they were asked for. */
function watched(file = temporaryFile()) {
  const hosts: { events: HostEvents; host: Host; held: boolean; deaf: boolean }[] = []
  const start: StartHost = events => {
    const entry = { events, held: false, deaf: false } as (typeof hosts)[number]
    entry.host = startHere({ ...events, replied: reply => entry.deaf || events.replied(reply) })
    hosts.push(entry)
    return {
      ...entry.host,
      hold: () => {
        entry.held = true
      },
      release: () => {
        entry.held = false
      },
    }
  }
  const connection = new Connection({ file, durability: 'none', busyTimeoutMs: 100 }, start)
  onTestFinished(() => connection.close())
  return { file, connection, hosts }
}

const blocks = [packRecords(toRecords([event(0)]))]
const session = { header: header(), blocks: [] }

describe('Connection', () => {
  it('opens the database once, when it is first needed', async () => {
    const { connection, hosts } = watched()
    expect(hosts).toHaveLength(0)
    await Promise.all([connection.call('list', {}), connection.open(), connection.call('list', {})])
    expect(hosts).toHaveLength(1)
  })

  it('answers each call with its own result or error, in whatever order', async () => {
    const { connection } = watched()
    const id = 'nobody' as SessionId
    const results = await Promise.allSettled([
      connection.call('create', session),
      connection.call('openToRead', { id }),
      connection.call('list', {}),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: { code: 'SESSION_NOT_FOUND', session: 'nobody' } })
    expect(results[2]).toMatchObject({ value: { entries: [{ id: 's' }] } })
  })

  it('keeps the process alive only while it waits for an answer', async () => {
    const { connection, hosts } = watched()
    const call = connection.call('list', {})
    expect(hosts[0]!.held).toBe(true)
    await call
    expect(hosts[0]!.held).toBe(false)
  })

  it('does not know what became of an operation whose thread died, and goes on with another thread', async () => {
    const { connection, hosts } = watched()
    const { no } = await connection.call('create', session)
    hosts[0]!.deaf = true
    const ref = { no, id: header().id }
    const lost = connection.call('append', { ref, epoch: 1, createdAt: T0, expectedSeq: 0, blocks })
    await new Promise(setImmediate)
    hosts[0]!.events.died(new Error('out of memory'))
    await expect(lost).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      found: 'out of memory',
      details: { indeterminate: true },
    })
    const { entries } = await connection.call('list', {})
    expect(entries).toMatchObject([{ id: 's', nextSeq: 1 }])
    expect(hosts).toHaveLength(2)
    await hosts[0]!.host.end()
  })

  it('does not take another database for the one that its thread had open', async () => {
    const { connection, hosts, file } = watched()
    await connection.call('create', session)
    await hosts[0]!.host.end()
    hosts[0]!.events.died(new Error('killed'))
    for (const name of ['', '-wal', '-shm']) rmSync(file + name, { force: true })
    const other = watched(file)
    await other.connection.call('create', session)
    await expect(connection.call('list', {})).rejects.toMatchObject({ code: 'OWNERSHIP_LOST' })
  })

  it('tries again to open a database that could not be opened', async () => {
    const { connection, hosts, file } = watched()
    copyFileSync(process.execPath, file)
    await expect(connection.call('list', {})).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
    rmSync(file)
    expect(await connection.call('list', {})).toEqual({ entries: [] })
    expect(hosts).toHaveLength(2)
  })

  it('rejects an argument that cannot be sent, and nothing else', async () => {
    const { connection } = watched()
    await connection.open()
    await expect(connection.call('list', { cwd: (() => {}) as never })).rejects.toThrow()
    expect(await connection.call('list', {})).toEqual({ entries: [] })
  })
})
