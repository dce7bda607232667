import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FileIdentity } from '../../src/database/file-identity.js'
import { temporaryFile } from '../support/temporary.js'

function identity() {
  const file = temporaryFile()
  writeFileSync(file, 'database')
  writeFileSync(`${file}-wal`, 'log')
  return { file, log: `${file}-wal`, identity: new FileIdentity(file, 'token') }
}

const lost = expect.objectContaining({ code: 'OWNERSHIP_LOST', session: 's' })

describe('FileIdentity', () => {
  it('finds files that were written to in their place', () => {
    const { file, log, identity: known } = identity()
    writeFileSync(file, 'more')
    writeFileSync(log, '')
    known.requireInPlace('s')
    expect(known.name).toBe(new FileIdentity(file, 'token').name)
    expect(known.name).not.toBe(new FileIdentity(file, 'other').name)
  })

  it.each(['file', 'log'] as const)('notices a deleted %s', which => {
    const known = identity()
    rmSync(known[which])
    expect(() => known.identity.requireInPlace('s')).toThrow(lost)
  })

  it.each(['file', 'log'] as const)('notices another %s in its place', which => {
    const known = identity()
    copyFileSync(known[which], `${known[which]}.copy`)
    renameSync(`${known[which]}.copy`, known[which])
    expect(() => known.identity.requireInPlace('s')).toThrow(lost)
    expect(() => known.identity.requireInPlace()).toThrow('another one in its place')
  })
})
