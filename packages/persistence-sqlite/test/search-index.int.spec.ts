import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { JsonlDriver } from '@dsh/persistence-jsonl'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SearchIndex } from '../src/search-index.js'
import { change } from './support/damage.js'
import { openDriver } from './support/driver.js'
import { startHere } from './support/here.js'
import { answer, delta, event, header, prompt, toolResult, toRecords } from './support/records.js'
import { temporaryDirectory } from './support/temporary.js'

function open() {
  const root = temporaryDirectory()
  const file = join(root, '.search.sqlite')
  const driver = new JsonlDriver({ root, durability: 'none' })
  onTestFinished(() => driver.close())
  const newIndex = () => {
    const index = new SearchIndex({ file }, startHere)
    onTestFinished(() => index.close())
    return index
  }
  const index = newIndex()
  const search = async (query: string, by = index) =>
    (await by.search(driver, query, { limit: 1_000 })).hits.map(({ id, seq, role }) => `${id} ${seq} ${role}`).sort()
  return { root, file, driver, index, newIndex, search }
}

const talk = [
  event(0, 'fox'),
  prompt(1, 'Where is the fox?'),
  delta(2, 'fox'),
  answer(3, 'A fox, 狐狸。'),
  toolResult(4, 'fox.png'),
]

describe('SearchIndex', () => {
  it('finds what a driver without search has stored, and what it stores later', async () => {
    const { driver, search } = open()
    const handle = await driver.create(header('s'), toRecords(talk))
    expect(await search('fox')).toEqual(['s 1 user', 's 3 assistant', 's 4 tool'])
    expect(await search('狐狸')).toEqual(['s 3 assistant'])
    await handle.append(5, toRecords([prompt(5, 'another fox')]))
    expect(await search('fox')).toHaveLength(4)
    expect(await search('fox')).toHaveLength(4)
    expect((await driver.list({})).entries).toHaveLength(1)
  })

  it('forgets what was removed, went to the trash, or was replaced by another session of its id', async () => {
    const { driver, search } = open()
    for (const id of ['removed', 'trashed', 'replaced']) {
      await (await driver.create(header(id), toRecords([prompt(0, 'fox')]))).close()
    }
    expect(await search('fox')).toHaveLength(3)
    await driver.remove(header('removed').id)
    await driver.trash(header('trashed').id)
    await driver.remove(header('replaced').id)
    await (await driver.create(header('replaced', { createdAt: 5 }), toRecords([prompt(0, 'walrus')]))).close()
    expect(await search('fox')).toEqual([])
    expect(await search('walrus')).toEqual(['replaced 0 user'])
    await driver.restore(header('trashed').id)
    expect(await search('fox')).toEqual(['trashed 0 user'])
  })

  it('narrows to directories and roles like the database itself', async () => {
    const { driver, index } = open()
    await driver.create(header('s', { cwd: '/work' }), toRecords(talk))
    await driver.create(header('t'), toRecords(talk))
    const { hits } = await index.search(driver, 'fox', { cwd: '/work', role: 'tool' })
    expect(hits.map(({ id, seq }) => [id, seq])).toEqual([['s', 4]])
  })

  it.each<[string, (file: string) => void]>([
    ['deleted', file => rmSync(file)],
    ['made of something else', file => writeFileSync(file, 'no database'.repeat(1_000))],
    ['cut short', file => truncateSync(file, 20_000)],
  ])('is derived anew when its file was %s', async (_, attack) => {
    const { driver, file, index, newIndex, search } = open()
    await driver.create(header('s'), toRecords(talk))
    await search('fox')
    await index.close()
    attack(file)
    expect(await search('fox', newIndex())).toHaveLength(3)
  })

  it('goes on with a new file when somebody deletes the one that it has open', async () => {
    const { driver, file, search } = open()
    const handle = await driver.create(header('s'), toRecords(talk))
    await search('fox')
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix)
    await handle.append(5, toRecords([prompt(5, 'fox')]))
    expect(await search('fox')).toHaveLength(4)
  })

  it('shares its file with another that works at the same time', async () => {
    const { driver, newIndex, search } = open()
    for (let index = 0; index < 20; index++) await driver.create(header(`s${index}`), toRecords(talk))
    const [one, other] = [newIndex(), newIndex()]
    const found = await Promise.all([search('fox', one), search('fox', other), search('fox', one)])
    expect(found.every(hits => hits.length === 60)).toBe(true)
    expect(await search('fox')).toHaveLength(60)
  })

  it('lets a broken session be, and finds the others', async () => {
    const { index } = open()
    const { driver, file } = openDriver()
    for (const id of ['fine', 'broken']) await (await driver.create(header(id), toRecords(talk))).close()
    change(file, 'broken', (database, session) => {
      database.prepare("UPDATE records SET body = 'rotten' WHERE session = ? AND seq = 3").run(session)
    })
    const { hits } = await index.search(driver, 'fox', {})
    expect(hits.filter(({ id }) => id === 'fine')).toHaveLength(3)
  })

  it('builds everything anew on demand', async () => {
    const { driver, index, search } = open()
    await driver.create(header('s'), toRecords(talk))
    await search('fox')
    await index.rebuild(driver)
    expect(await search('fox')).toHaveLength(3)
  })

  it('refuses a query that is none, and a path that is relative', async () => {
    const { driver, index } = open()
    await expect(index.search(driver, '', {})).rejects.toMatchObject({ code: 'INVALID_CONFIG', path: 'query' })
    expect(() => new SearchIndex({ file: 'relative' })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', path: 'file' }),
    )
  })
})
