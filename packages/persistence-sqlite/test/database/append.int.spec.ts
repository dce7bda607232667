import { describe, expect, it } from 'vitest'
import { appendRecords } from '../../src/database/append.js'
import { findSession } from '../../src/database/open.js'
import { trashSession } from '../../src/database/remove.js'
import { packRecords } from '../../src/record-block.js'
import { event, header, prompt, T0, toRecords } from '../support/records.js'
import { openStore, store } from '../support/store.js'

function begin() {
  const at = openStore()
  const ref = store(at, header())
  const append = (expectedSeq: number, ...events: Parameters<typeof toRecords>[0]) =>
    appendRecords(at, {
      ref,
      epoch: ref.epoch,
      createdAt: ref.header.createdAt,
      expectedSeq,
      blocks: [packRecords(toRecords(events))],
    })
  const count = () => at.database.get<{ count: number }>('SELECT count(*) AS count FROM records')!.count
  return { at, ref, append, count }
}

describe('appendRecords', () => {
  it('goes on where the log ends and says where that is', () => {
    const { at, ref, append } = begin()
    expect(append(0, event(0), prompt(1, 'hello'))).toBe(2)
    expect(append(2, event(2))).toBe(3)
    expect(findSession(at.database, ref.id)).toMatchObject({ next_seq: 3, last_time: T0 + 2, epoch: ref.epoch })
  })

  it.each([0, 7])('refuses position %i of a log that ends elsewhere, and stores nothing', expectedSeq => {
    const { append, count } = begin()
    append(0, event(0), event(1))
    const refusal = expect.objectContaining({ code: 'SEQ_CONFLICT', details: { expectedSeq, currentSeq: 2 } })
    expect(() => append(expectedSeq, event(expectedSeq))).toThrow(refusal)
    expect(count()).toBe(2)
  })

  it('refuses who owned a session that was removed, and one that went to the trash', () => {
    const { at, ref, append, count } = begin()
    trashSession(at, ref)
    expect(() => append(0, event(0))).toThrow(
      expect.objectContaining({ code: 'OWNERSHIP_LOST', found: 'it in the trash' }),
    )
    at.database.run('DELETE FROM sessions')
    expect(() => append(0, event(0))).toThrow(
      expect.objectContaining({ code: 'OWNERSHIP_LOST', found: 'that it was removed' }),
    )
    expect(count()).toBe(0)
  })
})
