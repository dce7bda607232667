import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { trashSession } from '../src/database/remove.js'
import { Lookup } from '../src/lookup.js'
import { header } from './support/records.js'
import { openStore, store } from './support/store.js'
import { temporaryFile } from './support/temporary.js'

function lookup(file: string): Lookup {
  const opened = new Lookup(file)
  onTestFinished(() => opened.close())
  return opened
}

describe('Lookup', () => {
  it('finds nothing before there is a database, and creates none', () => {
    const file = temporaryFile()
    expect(lookup(file).has('s')).toBe(false)
    writeFileSync(file, '')
    expect(lookup(file).has('s')).toBe(false)
    new DatabaseSync(file).close()
    expect(lookup(file).has('s')).toBe(false)
  })

  it('follows what another connection stores and takes away', () => {
    const at = openStore()
    const found = lookup(at.database.file)
    const odd = header('\ud800')
    expect(found.has(odd.id)).toBe(false)
    store(at, odd)
    expect(found.has(odd.id)).toBe(true)
    expect(found.has('\udfff')).toBe(false)
    trashSession(at, odd)
    expect(found.has(odd.id)).toBe(false)
  })

  it('answers while another connection writes', () => {
    const at = openStore()
    store(at, header())
    at.database.write({ purpose: 'write' }, () => {
      at.database.run('UPDATE sessions SET epoch = epoch + 1')
      expect(lookup(at.database.file).has('s')).toBe(true)
    })
  })

  it('says why it cannot answer', () => {
    const file = temporaryFile()
    writeFileSync(file, 'no database'.repeat(1_000))
    expect(() => lookup(file).has('s')).toThrow(expect.objectContaining({ code: 'STORAGE_FAILED', file }))
  })
})
