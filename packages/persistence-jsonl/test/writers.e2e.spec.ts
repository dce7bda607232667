import { readdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writersProof } from '../../persistence/test/proofs/writers-proof.js'
import { JsonlDriver } from '../src/driver.js'
import { proofBackend } from './support/proof-backend.js'
import { collect, event, header, toRecords } from './support/records.js'

writersProof(proofBackend)

describe('a root of one process', () => {
  it('is the same by any spelling of its path', async () => {
    const root = proofBackend.newPlace()
    const [driver, other] = [new JsonlDriver({ root }), new JsonlDriver({ root: `${root}/.` })]
    onTestFinished(() => driver.close())
    onTestFinished(() => other.close())
    const { id } = header()
    const handle = await driver.create(header(), [])
    await expect(other.open(id, 'write')).rejects.toMatchObject({ code: 'SESSION_LOCKED' })
    await handle.append(0, toRecords([event(0)]))
    await handle.close()
    expect((await other.open(id, 'write')).nextSeq).toBe(1)
  })

  it.runIf(process.platform === 'linux')('keeps no file open for the sessions that it has closed', async () => {
    const driver = new JsonlDriver({ root: proofBackend.newPlace() })
    onTestFinished(() => driver.close())
    const openFiles = () => readdirSync('/proc/self/fd').length
    await (await driver.create(header(), [])).close()
    const before = openFiles()
    for (let round = 0; round < 100; round++) {
      const handle = await driver.open(header().id, round % 2 === 0 ? 'write' : 'read')
      await collect(handle.read({}))
      await handle.close()
    }
    expect(openFiles()).toBe(before)
  })
})
