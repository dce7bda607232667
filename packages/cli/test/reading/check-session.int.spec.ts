import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findSession } from '../../src/find-session.js'
import { checkSession } from '../../src/reading/check-session.js'
import { openStore } from '../../src/store.js'
import { LogBuilder } from '../support/log-builder.js'
import { TestRoot } from '../support/root.js'

async function setUp() {
  const root = new TestRoot()
  await root.store('s', new LogBuilder().prompt('Hello').end().events)
  const { persistence, close } = await openStore({ root: root.path, backend: 'jsonl' })
  return { root, persistence, close }
}

describe('checkSession', () => {
  it('reports what verifying reports', async () => {
    const { persistence, close } = await setUp()
    const report = await checkSession(persistence, await findSession(persistence, 's'))
    expect(report).toEqual(await persistence.verify('s'))
    await close()
  })

  it('is silent about a session that is gone by now', async () => {
    const { root, persistence, close } = await setUp()
    const entry = await findSession(persistence, 's')
    rmSync(dirname(root.log('s')), { recursive: true })
    expect(await checkSession(persistence, entry)).toBeUndefined()
    await close()
  })

  it('tells what the list said of a session whose header cannot be read', async () => {
    const { root, persistence, close } = await setUp()
    root.damage('s', bytes => bytes.fill(0x20, 0, 9))
    const [entry] = (await persistence.list()).entries
    expect(await checkSession(persistence, entry!)).toMatchObject({
      isIntact: false,
      error: { code: 'SESSION_CORRUPT' },
    })
    await close()
  })
})
