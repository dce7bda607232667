import { describe, expect, it } from 'vitest'
import { findExactSession, findSession, findSessions, LATEST, listAll } from '../src/find-session.js'
import { openStore } from '../src/store.js'
import { LogBuilder, START } from './support/log-builder.js'
import { TestRoot } from './support/root.js'

const hostile = 'x\n\u001b[2J'

async function storeWith(...ids: readonly string[]) {
  const root = new TestRoot()
  for (const [index, id] of ids.entries()) {
    await root.store(id, new LogBuilder([], START + index).prompt(id).end().events)
  }
  return openStore({ root: root.path, backend: 'jsonl' })
}

describe('findSession', () => {
  it('finds a session by its id, by the start of it, and by the id as it is shown', async () => {
    const { persistence, close } = await storeWith('alpha', 'beta', 'beta-2', hostile)
    const find = async (name: string) => (await findSession(persistence, name)).id
    expect(await find('alpha')).toBe('alpha')
    expect(await find('al')).toBe('alpha')
    expect(await find('alp…')).toBe('alpha')
    expect(await find('beta')).toBe('beta')
    expect(await find('beta-')).toBe('beta-2')
    expect(await find(hostile)).toBe(hostile)
    expect(await find('x\\n\\x1b[2J')).toBe(hostile)
    expect(await find('x\\n')).toBe(hostile)
    await close()
  })

  it('refuses to guess', async () => {
    const { persistence, close } = await storeWith('alpha', 'beta-1', 'beta-2', 'beta-3', 'beta-4')
    await expect(findSession(persistence, 'beta')).rejects.toMatchObject({
      code: 'AMBIGUOUS_ID',
      message: '"beta" fits beta-4, beta-3, beta-2 and 1 more',
    })
    for (const name of ['gamma', '', '…', 'ALPHA']) {
      await expect(findSession(persistence, name)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND', session: name })
    }
    await close()
  })

  it('knows the session that was last at work, unless one is called that', async () => {
    const { persistence, close } = await storeWith('alpha', 'beta')
    expect((await findSession(persistence, LATEST)).id).toBe('beta')
    await close()
    const other = await storeWith(LATEST, 'beta')
    expect((await findSession(other.persistence, LATEST)).id).toBe(LATEST)
    await other.close()
    const empty = await storeWith('alpha')
    await empty.persistence.delete('alpha')
    await expect(findSession(empty.persistence, LATEST)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await empty.close()
  })

  it('looks into the trash when it is told to', async () => {
    const { persistence, close } = await storeWith('alpha', 'beta')
    await persistence.trash('alpha')
    expect((await findSession(persistence, 'al', { trashed: true })).id).toBe('alpha')
    await expect(findSession(persistence, 'beta', { trashed: true })).rejects.toThrow('a session in the trash')
    await expect(findSession(persistence, 'alpha')).rejects.toThrow('a stored session')
    await close()
  })
})

describe('a session whose header cannot be read', () => {
  it('is found by its id, by the start of it, and among all', async () => {
    const root = new TestRoot()
    for (const id of ['readable', 'lost-id', 'lost/with a slash']) {
      await root.store(id, new LogBuilder().prompt(id).end().events)
    }
    for (const id of ['lost-id', 'lost/with a slash']) root.damage(id, bytes => bytes.fill(0x20, 0, 9))
    const { persistence, close } = await openStore({ root: root.path, backend: 'jsonl' })
    const corrupt = { state: 'corrupt', error: expect.objectContaining({ code: 'SESSION_CORRUPT' }) }
    expect(await findSession(persistence, 'lost-id')).toMatchObject({ id: 'lost-id', ...corrupt })
    expect(await findSession(persistence, 'lost-i')).toMatchObject({ id: 'lost-id', ...corrupt })
    expect(await findSession(persistence, 'lost/with a slash')).toMatchObject({ id: 'lost/with a slash', ...corrupt })
    await expect(findSession(persistence, 'lost-id-0')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    const all = await findSessions(persistence, [])
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(['readable', 'lost-id']))
    expect(all).toHaveLength(3)
    await close()
  })
})

describe('a session in the trash whose header cannot be read', () => {
  it('is found by the name that a list shows, and by the start of that', async () => {
    const root = new TestRoot()
    for (const id of ['lost', 'stored']) await root.store(id, [])
    root.damage('lost', bytes => bytes.fill(0x20, 0, 9))
    const { persistence, close } = await openStore({ root: root.path, backend: 'jsonl' })
    await persistence.trash('lost')
    const trashed = { trashed: true }
    const [listed] = (await persistence.list(trashed)).entries
    expect(await findSession(persistence, 'lost', trashed)).toEqual(listed)
    expect(await findExactSession(persistence, listed!.id, trashed)).toEqual(listed)
    await expect(findExactSession(persistence, 'lost', trashed)).rejects.toThrow('the whole id of a session in the')
    await expect(findSession(persistence, 'stored', trashed)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await close()
  })
})

describe('findExactSession', () => {
  it('takes whole ids only', async () => {
    const { persistence, close } = await storeWith('alpha', 'beta-1', 'beta-2', hostile)
    expect((await findExactSession(persistence, 'alpha')).id).toBe('alpha')
    expect((await findExactSession(persistence, 'x\\n\\x1b[2J')).id).toBe(hostile)
    for (const name of ['alph', 'beta', '', LATEST]) {
      const found = findExactSession(persistence, name)
      await expect(found).rejects.toThrow('expected the whole id of a stored session, found none')
    }
    await close()
  })
})

describe('findSessions', () => {
  it('finds those that are named, in that order, or all of them', async () => {
    const { persistence, close } = await storeWith('alpha', 'beta', 'gamma')
    const ids = async (...names: string[]) => (await findSessions(persistence, names)).map(({ id }) => id)
    expect(await ids('ga', 'alpha')).toEqual(['gamma', 'alpha'])
    expect(await ids()).toEqual(['gamma', 'beta', 'alpha'])
    await expect(ids('alpha', 'nope')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await close()
  })
})

describe('listAll', () => {
  it('gives every session once, over as many pages as it takes', async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `s${index}`)
    const { persistence, close } = await storeWith(...ids)
    const found: string[] = []
    for await (const { id } of listAll(persistence, { limit: 2, order: 'oldest' })) found.push(id)
    expect(found).toEqual(ids)
    await close()
  })
})
