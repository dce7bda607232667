import { describe, expect, it } from 'vitest'
import { findSession } from '../../src/database/open.js'
import { readHeader, updateSession } from '../../src/database/session-row.js'
import { header } from '../support/records.js'
import { openStore, store } from '../support/store.js'

const odd = header('\ud800\u0000', { cwd: '/\udc00', custom: { deep: [1, '\u2028'] } } as never)

function stored() {
  const at = openStore()
  const { no } = store(at, odd)
  const read = () => readHeader(findSession(at.database, odd.id), at.database.file)
  const rot = (change: string) => at.database.run(`UPDATE sessions SET ${change} WHERE no = ?`, no)
  return { at, read, rot, no }
}

describe('readHeader', () => {
  it('gives the header with every field, frozen', () => {
    const found = stored().read()
    expect(found).toEqual(odd)
    expect(Object.isFrozen(found)).toBe(true)
  })

  it.each([
    'header = replace(header, 1700000000000, 1700000000001)',
    'next_seq = 5',
    'last_time = 7',
    'bytes = 1',
    'surfaces = 3',
    'epoch = 9',
    'crc = crc + 1',
  ])('refuses a row in which %s rotted', change => {
    const { read, rot } = stored()
    rot(change)
    expect(read).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT', session: odd.id }))
  })

  it.each([
    [0, 'older'],
    [2, 'newer'],
  ])('refuses a header of format version %i and says that it is %s', (version, relation) => {
    const { at, read, no } = stored()
    const row = findSession(at.database, odd.id)
    const text = JSON.stringify({ ...odd, version })
    at.database.run('UPDATE sessions SET header = ? WHERE no = ?', text, no)
    updateSession(at.database, no, { ...row, header: text })
    expect(read).toThrow(expect.objectContaining({ code: 'FORMAT_UNSUPPORTED', details: { version } }))
    expect(read).toThrow(`the ${relation} version ${version}`)
  })

  it('refuses the header of another session', () => {
    const { at, read, no } = stored()
    const row = findSession(at.database, odd.id)
    const text = JSON.stringify({ ...odd, id: 'other' })
    at.database.run('UPDATE sessions SET header = ? WHERE no = ?', text, no)
    updateSession(at.database, no, { ...row, header: text })
    expect(read).toThrow(expect.objectContaining({ code: 'SESSION_CORRUPT' }))
  })
})
