import { describe, expect, it } from 'vitest'
import type { MirrorArguments } from '../../src/database/mirror.js'
import { forgetMirrored, listMirrored, mirrorRecords } from '../../src/database/mirror.js'
import { searchRecords } from '../../src/database/search-records.js'
import { packRecords } from '../../src/record-block.js'
import { header, prompt, T0, toRecords } from '../support/records.js'
import { openStore } from '../support/store.js'

function open() {
  const at = openStore()
  const mirror = (from: number, to: number, seqs: readonly number[], more: Partial<MirrorArguments> = {}) =>
    mirrorRecords(at, {
      header: header(),
      from,
      to,
      blocks: [packRecords(toRecords(seqs.map(seq => prompt(seq, 'fox'))))],
      ...more,
    })
  const found = () =>
    searchRecords(at, { query: 'fox', options: {} })
      .hits.map(({ seq }) => seq)
      .sort()
  return { at, mirror, found }
}

describe('mirrorRecords', () => {
  it('takes the texts of a log in, wherever they stand in it', () => {
    const { at, mirror, found } = open()
    expect(mirror(0, 10, [1, 7])).toBe(10)
    expect(mirror(10, 40, [30])).toBe(40)
    expect(listMirrored(at)).toEqual([{ id: 's', createdAt: T0, nextSeq: 40 }])
    expect(found()).toEqual([1, 30, 7])
  })

  it('takes nothing in where it stands elsewhere, and says where', () => {
    const { mirror, found } = open()
    expect(mirror(5, 9, [6])).toBe(0)
    mirror(0, 10, [1])
    expect(mirror(0, 12, [1, 11])).toBe(10)
    expect(mirror(10, 12, [11], { header: header('s', { createdAt: 1 }) })).toBe(10)
    expect(found()).toEqual([1])
  })
})

describe('forgetMirrored', () => {
  it('drops a session, also one that it never had', () => {
    const { at, mirror, found } = open()
    mirror(0, 10, [1])
    forgetMirrored(at, header())
    forgetMirrored(at, header())
    expect(listMirrored(at)).toEqual([])
    expect(found()).toEqual([])
  })
})
