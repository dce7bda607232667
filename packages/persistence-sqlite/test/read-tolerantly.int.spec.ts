import type { TolerantItem } from '@dsh/persistence/driver'
import { describe, expect, it } from 'vitest'
import { rotBody } from './support/damage.js'
import { openDriver } from './support/driver.js'
import { header, sampleEvents, toRecords } from './support/records.js'

describe('readTolerantly', () => {
  it('gives header, records and what is lost, page by page', async () => {
    const { driver, file } = openDriver()
    const records = toRecords(sampleEvents(1_000))
    await (await driver.create(header('s', { cwd: '/w' }), records)).close()
    rotBody(file, 's')
    const { header: head, items } = await driver.readTolerant(header().id)
    expect(head).toEqual(header('s', { cwd: '/w' }))
    const found: TolerantItem[] = []
    for await (const item of items) found.push(item)
    expect(found.filter(({ kind }) => kind === 'records')).toHaveLength(records.length - 1)
    expect(found.filter(({ kind }) => kind === 'unreadable')).toHaveLength(1)
    await expect(driver.open(header().id, 'write')).rejects.toMatchObject({ code: 'SESSION_CORRUPT' })
  })

  it('says that there is no such session', async () => {
    const { driver } = openDriver()
    await expect(driver.readTolerant(header().id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
})
