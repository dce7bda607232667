import { describe, expect, it } from 'vitest'
import { readLog } from '../src/read-log.js'
import { snapshotOf, writeLog } from './support/log-bytes.js'
import { collect, lines } from './support/records.js'

const log = writeLog([3, 12, 7])

describe('readLog', () => {
  it('reads in the direction that it is asked for', async () => {
    expect(lines(await collect(readLog(snapshotOf(log), {}, undefined)))).toEqual(lines(log.records))
    expect(lines(await collect(readLog(snapshotOf(log), { reverse: true }, undefined)))).toEqual(
      lines(log.records).reverse(),
    )
  })

  it('stops with the reason of its signal, before it reads and between batches', async () => {
    for (const reverse of [false, true]) {
      const reason = new Error('enough')
      await expect(collect(readLog(snapshotOf(log), { reverse }, AbortSignal.abort(reason)))).rejects.toBe(reason)
    }
    const controller = new AbortController()
    const reading = (async () => {
      for await (const _ of readLog(snapshotOf(log), { reverse: true }, controller.signal))
        controller.abort(new Error('seen'))
    })()
    await expect(reading).rejects.toThrow('seen')
  })

  it('says which file of which session the disk failed to read', async () => {
    const snapshot = snapshotOf(log)
    const failing = { file: '/log', read: () => Promise.reject(Object.assign(new Error('EIO: read'), { code: 'EIO' })) }
    const parts = snapshot.parts.map(part => ({ ...part, source: failing }))
    for (const reverse of [false, true]) {
      await expect(collect(readLog({ ...snapshot, parts }, { reverse }, undefined))).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
        file: '/log',
        session: 's',
      })
    }
  })
})
