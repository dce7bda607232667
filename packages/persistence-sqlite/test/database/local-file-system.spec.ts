import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refuseNetworkFileSystem } from '../../src/database/local-file-system.js'

describe.runIf(process.platform === 'linux')('refuseNetworkFileSystem', () => {
  it.each([
    [0x6969, 'NFS'],
    [0xff534d42, 'CIFS'],
    [0x01021997, '9p'],
  ])('refuses a file system of type %i, %s', (type, name) => {
    const refusal = expect.objectContaining({ code: 'STORAGE_FAILED', found: name, details: { indeterminate: false } })
    expect(() => refuseNetworkFileSystem(tmpdir(), () => type)).toThrow(refusal)
  })

  it('takes the others', () => {
    for (const type of [0xef53, 0x9123683e, 0x58465342, 0x01021994]) refuseNetworkFileSystem(tmpdir(), () => type)
    refuseNetworkFileSystem(tmpdir())
  })

  it('asks about the directory that is there, of those that have yet to be made', () => {
    const asked: string[] = []
    refuseNetworkFileSystem(join(tmpdir(), 'not', 'there'), directory => {
      asked.push(directory)
      return 0
    })
    expect(asked).toEqual([tmpdir()])
  })
})
