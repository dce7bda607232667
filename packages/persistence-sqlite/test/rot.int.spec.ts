import { readFileSync, writeFileSync } from 'node:fs'
import { isSessionError, type SessionId } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openDriver } from './support/driver.js'
import { collect, event, header, plain, prompt, toRecords } from './support/records.js'
import { temporaryFile } from './support/temporary.js'

const ids = ['a', 'b', 'c'] as SessionId[]
const events = Array.from({ length: 60 }, (_, seq) =>
  seq % 7 === 0 ? prompt(seq, `prompt ${seq}`) : event(seq, 'x'.repeat(seq * 5)),
)
const records = toRecords(events)

async function whole(): Promise<Buffer> {
  const { driver, file } = openDriver()
  for (const id of ids) await (await driver.create(header(id), records)).close()
  await driver.close()
  return readFileSync(file)
}

describe('rot', () => {
  it('is told, and nothing that is damaged comes back as if it were not', { timeout: 600_000 }, async () => {
    const intact = await whole()
    const copy = temporaryFile()
    const expected = records.map(plain)
    const damage = fc.record({
      at: fc.nat(intact.length - 1),
      bit: fc.nat(7),
      length: fc.constantFrom(1, 1, 1, 100, 8_192),
    })
    const told = new Set<string>()
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, bit, length }) => {
        const bytes = Buffer.from(intact)
        for (let index = at; index < Math.min(at + length, bytes.length); index++) bytes[index]! ^= 1 << bit
        writeFileSync(copy, bytes)
        const { driver } = openDriver({ file: copy })
        const tell = (error: unknown) => {
          expect(isSessionError(error), String(error)).toBe(true)
          told.add((error as { code: string }).code)
        }
        for (const id of ids) {
          try {
            const handle = await driver.open(id, 'read')
            expect(handle.header).toEqual(header(id))
            expect((await collect(handle.read({}))).map(plain)).toEqual(expected)
            const surface = (await collect(handle.read({ filter: 'surface' }))).map(plain)
            expect(surface).toEqual(records.filter(each => each.surface).map(plain))
          } catch (error) {
            tell(error)
          }
        }
        await driver.list({}).catch(tell)
        await driver.search('prompt', {}).catch(tell)
        await driver.close()
      }),
      { numRuns: process.env.DSH_FULL ? 2_000 : 40 },
    )
    expect(told.size).toBeGreaterThan(0)
  })
})
