import type { SessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { header, sampleRecords } from './records.js'
import type { ConformanceTarget } from './setup.js'
import { expectRecords, stored } from './setup.js'

/** Ids that file names, paths, keys, and case- or form-insensitive storages like to mistake for others. */
const hostileIds: readonly string[] = [
  ...[
    '.',
    '..',
    '...',
    '/',
    '\\',
    '../../etc/passwd',
    '..\\up',
    '/absolute',
    'a/b',
    'a\\b',
    'a-b/c',
    'a/b-c',
    '~',
    '~root',
  ],
  ...['a', 'A', 'a ', ' a', 'a.', '.a', 'a\t', 'a\n', 'a\u0000', 'a\u0000b', '\u0000'],
  ...['\u00e9', 'e\u0301', '\u212b', '\u00c5', '\uff21', 'ß', 'ss', 'SS', 'ı', 'i', 'İ', 'K', '\u212a'],
  ...[
    'CON',
    'con',
    'NUL',
    'aux.txt',
    'COM1',
    'a:b',
    'C:',
    'c:',
    'a*b',
    'a?b',
    'a<b>',
    'a|b',
    '"',
    "'",
    '%',
    '%2e%2e',
    '-rf',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'null',
    'undefined',
    '0',
    '-0',
    'true',
    '[]',
    '{}',
    ';--',
    "'; DROP TABLE sessions",
  ],
  ...[
    '.locks',
    'log-0.jsonl',
    '.tmp',
    'index',
    '漢'.repeat(300),
    'x'.repeat(5_000),
    '🙂',
    '\u202e',
    '\ufeff',
    '\ud83d',
    '\udc00',
  ],
]

export function idConformance({ storage }: ConformanceTarget): void {
  describe('ids', () => {
    it('keeps hostile ids apart through create, open, list, append and remove', async () => {
      const { connect } = await storage()
      const [left, right] = [await connect(), await connect()]
      for (const [index, id] of hostileIds.entries()) {
        const handle = await left.create(header(id, { createdAt: index }), [])
        await handle.append(0, sampleRecords(1, `of ${index}`))
        await handle.close()
      }
      const listed = (await right.list({ order: 'oldest', limit: hostileIds.length })).entries.map(entry => entry.id)
      expect([...listed].sort()).toEqual([...hostileIds].sort())
      for (const [index, id] of hostileIds.entries()) {
        expect((await right.open(id as SessionId, 'read')).header).toEqual(header(id, { createdAt: index }))
        expectRecords(await stored(right, id as SessionId), sampleRecords(1, `of ${index}`))
      }
      for (const [index, id] of hostileIds.entries()) {
        await right.remove(id as SessionId)
        expect((await right.list({})).entries).toHaveLength(hostileIds.length - index - 1)
      }
    })

    it('keeps hostile directories exactly and filters by them', async () => {
      const { connect } = await storage()
      const driver = await connect()
      const directories = hostileIds.map(id => `/${id}`)
      for (const [index, cwd] of directories.entries()) {
        await (await driver.create(header(`s${index}`, { cwd }), [])).close()
      }
      for (const [index, cwd] of directories.entries()) {
        expect((await driver.list({ cwd })).entries.map(entry => [entry.id, entry.header?.cwd])).toEqual([
          [`s${index}`, cwd],
        ])
      }
    })

    it('owns each of two ids that differ in case or in form only', async () => {
      const { connect } = await storage()
      const [left, right] = [await connect(), await connect()]
      for (const [one, other] of [
        ['a', 'A'],
        ['\u00e9', 'e\u0301'],
        ['a', 'a.'],
      ] as const) {
        const suffix = `${one}${other}`
        const first = await left.create(header(`${suffix}${one}`), [])
        const second = await right.create(header(`${suffix}${other}`), [])
        await first.append(0, sampleRecords(1))
        await second.append(0, sampleRecords(2))
        expectRecords(await stored(right, first.header.id), sampleRecords(1))
        expectRecords(await stored(left, second.header.id), sampleRecords(2))
      }
    })
  })
}
