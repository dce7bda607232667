import { describe, expect, it } from 'vitest'
import { openDriver } from './support/driver.js'
import { collect, event, header, toRecords } from './support/records.js'

describe('ReadHandle', () => {
  it('reads what is stored later, and appends nothing', async () => {
    const { driver } = openDriver()
    const writer = await driver.create(header(), toRecords([event(0)]))
    const reader = await driver.open(header().id, 'read')
    await writer.append(1, toRecords([event(1)]))
    expect(reader.nextSeq).toBe(1)
    expect(await collect(reader.read({}))).toHaveLength(2)
    await expect(reader.append(2, [])).rejects.toMatchObject({ code: 'OWNERSHIP_LOST', session: 's' })
    await reader.close()
  })

  it('says that its session was removed, whoever has the id by then', async () => {
    const { driver } = openDriver()
    await (await driver.create(header(), toRecords([event(0)]))).close()
    const reader = await driver.open(header().id, 'read')
    await driver.remove(header().id)
    await driver.create(header(), toRecords([event(0)]))
    await expect(collect(reader.read({}))).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
})
