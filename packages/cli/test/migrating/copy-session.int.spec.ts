import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Driver } from '@dsh/persistence/driver'
import type { SessionId } from '@dsh/session'
import { encodeRows, type SessionEvent } from '@dsh/session'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BackendName, backend } from '../../src/backends.js'
import { copySession } from '../../src/migrating/copy-session.js'
import { storedEvents } from '../../src/migrating/stored-events.js'
import { LogBuilder, START } from '../support/log-builder.js'

const chunks = Array.from({ length: 300 }, (_, index) => `delta ${index} `)
const { events } = new LogBuilder()
  .prompt('Long')
  .answer('', { chunks, calls: [{ name: 'read', result: 'x'.repeat(1_200_000) }] })
  .end()

const records = (part: readonly SessionEvent[]) => encodeRows(part, { pack: true }).map(row => ({ ...row, version: 1 }))

describe.each([
  ['jsonl', 'sqlite'],
  ['sqlite', 'jsonl'],
] as const)('copySession from %s to %s', (from, to) => {
  let folder: string
  let source: Driver
  let target: Driver
  let number = 0
  let id: SessionId

  const open = (name: BackendName, root: string) => backend(name).driver(backend(name).place(join(folder, root)))

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dsh-cli-'))
    source = await open(from, 'source')
    target = await open(to, 'target')
  })
  afterAll(async () => {
    await source.close()
    await target.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => {
    id = `s${number++}` as SessionId
  })

  const headerOf = () => ({ version: 1, id, createdAt: START, cwd: '/w', seedLength: 3 })

  async function store(driver: Driver, part: readonly SessionEvent[], meta: object = {}): Promise<void> {
    const handle = await driver.create({ ...headerOf(), ...meta }, records(part))
    await handle.close()
  }

  async function read(driver: Driver) {
    const handle = await driver.open(id, 'read')
    const found: SessionEvent[] = []
    for await (const event of storedEvents(handle)) found.push(event)
    await handle.close()
    return { header: handle.header, events: found }
  }

  it('copies header and events as they are, and tells how far it is', async () => {
    await store(source, events)
    const told: number[] = []
    const report = await copySession(source, target, id, count => told.push(count))
    expect(report).toEqual({ id, events: events.length, outcome: 'copied' })
    expect(await read(target)).toEqual({ header: headerOf(), events })
    expect(told.length).toBeGreaterThan(1)
    expect(told.at(-1)).toBe(events.length)
  })

  it('continues what was interrupted, and only compares what is there already', async () => {
    await store(source, events)
    const stop = () => {
      throw new Error('stop')
    }
    await expect(copySession(source, target, id, stop)).rejects.toThrow('stop')
    expect((await read(target)).events.length).toBeLessThan(events.length)
    expect(await copySession(source, target, id)).toMatchObject({ outcome: 'continued', events: events.length })
    expect(await copySession(source, target, id)).toMatchObject({ outcome: 'present', events: events.length })
    expect(await read(target)).toEqual({ header: headerOf(), events })
  })

  it('touches no other session of the id', async () => {
    await store(source, events.slice(0, 6))
    await store(target, events.slice(0, 4), { createdAt: 1 })
    await expect(copySession(source, target, id)).rejects.toThrow('another session of this id')
    expect((await read(target)).events).toHaveLength(4)
  })

  it('refuses a target that has more of the session', async () => {
    await store(source, events.slice(0, 6))
    await store(target, events.slice(0, 9))
    await expect(copySession(source, target, id)).rejects.toMatchObject({ code: 'SESSION_ALREADY_EXISTS' })
  })

  it('tells a copy whose events are others', async () => {
    await store(source, events.slice(0, 9))
    await store(target, new LogBuilder().prompt('Other').answer('').end().events.slice(0, 4))
    await expect(copySession(source, target, id)).rejects.toMatchObject({
      code: 'SESSION_CORRUPT',
      message: expect.stringContaining('a copy that equals its source'),
    })
  })

  it('copies an empty session', async () => {
    const { seedLength: _, ...plain } = headerOf()
    await (await source.create(plain, [])).close()
    expect(await copySession(source, target, id)).toEqual({ id, events: 0, outcome: 'copied' })
    expect(await copySession(source, target, id)).toEqual({ id, events: 0, outcome: 'present' })
  })
})
