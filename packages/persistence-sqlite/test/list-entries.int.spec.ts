import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { SessionFacts } from '../src/database/checksum.js'
import { sessionChecksum } from '../src/database/checksum.js'
import { keyOf } from '../src/session-key.js'
import { change } from './support/damage.js'
import { openDriver } from './support/driver.js'
import { event, header, toRecords } from './support/records.js'

describe('listEntries', () => {
  it('gives everything that is known of each session, however odd its header', async () => {
    const { driver } = openDriver()
    const odd = header('a b\n{"\u2028\ud800', { cwd: '/x y', custom: 'line\nfeed {' } as never)
    const records = toRecords([event(0, { turn: 1 }, 'turn/start')])
    await driver.create(odd, records)
    expect(await driver.list({})).toEqual({
      entries: [
        {
          id: odd.id,
          header: odd,
          nextSeq: 1,
          lastTime: records[0]!.time,
          bytes: records[0]!.body.length,
          state: 'unfinished',
        },
      ],
    })
  })

  it('lists thousands, and lets others run meanwhile', async () => {
    const { driver, file } = openDriver()
    await (await driver.create(header('model'), [])).close()
    const database = new DatabaseSync(file)
    const columns = 'cwd, parent, next_seq, last_time, bytes, surfaces, in_turn, trashed, epoch'
    const copyOf = database.prepare(
      `INSERT INTO sessions (key, header, crc, ${columns}) SELECT ?, ?, ?, ${columns} FROM sessions LIMIT 1`,
    )
    const model = database.prepare('SELECT * FROM sessions').get() as unknown as SessionFacts
    database.exec('BEGIN')
    for (let copy = 0; copy < 2_000; copy++) {
      const named = { key: keyOf(`copy ${copy}`), header: JSON.stringify(header(`copy ${copy}`)) }
      copyOf.run(named.key, named.header, sessionChecksum({ ...model, ...named }))
    }
    database.exec('COMMIT')
    database.close()
    let turns = 0
    const listing = driver.list({})
    let isDone = false
    void listing.then(() => {
      isDone = true
    })
    while (!isDone) {
      turns++
      await new Promise(setImmediate)
    }
    expect((await listing).entries).toHaveLength(2_001)
    expect(turns).toBeGreaterThan(5)
    expect((await driver.list({ limit: 10 })).entries).toHaveLength(10)
  })

  it('looks at each session where one is damaged or of another version', async () => {
    const { driver, file } = openDriver()
    for (const id of ['a', 'b']) await (await driver.create(header(id), [])).close()
    change(file, 'b', (database, session) => {
      database.prepare('UPDATE sessions SET bytes = 7 WHERE no = ?').run(session)
    })
    expect((await driver.list({ order: 'oldest' })).entries).toMatchObject([
      { id: 'a', state: 'ok' },
      { id: 'b', state: 'corrupt', error: { code: 'SESSION_CORRUPT' } },
    ])
  })

  it('says which sessions a newer release wrote', async () => {
    const { driver } = openDriver()
    await driver.create({ ...header('new'), version: 2 }, [])
    expect((await driver.list({})).entries).toMatchObject([
      { id: 'new', state: 'corrupt', error: { code: 'FORMAT_UNSUPPORTED' } },
    ])
  })
})
