import { describe, expect, it } from 'vitest'
import { LineScanner } from '../../src/codec/line-scanner.js'
import { readTypeName } from '../../src/codec/type-names.js'
import { bytes } from './arbitraries.js'

function read(text: string): [string | undefined, number] {
  const line = new LineScanner(bytes(text))
  const name = readTypeName(line)
  return [name, line.at]
}

describe('readTypeName', () => {
  it('reads up to the closing quote', () => {
    expect(read('turn/start",')).toEqual(['turn/start', 11])
    expect(read('",')).toEqual(['', 1])
  })

  it('tells names apart whose hashes are equal', () => {
    // Each of the two pairs has one hash.
    const names = ['x/Aa', 'x/BB', 'x/43dzbn', 'plugin/av2sn4']
    for (const name of [...names, ...names]) expect(read(`${name}"`)[0]).toBe(name)
  })

  it('tells many names apart', () => {
    for (let index = 0; index < 600; index++)
      expect(read(`plugin/fact${index % 400}"`)[0]).toBe(`plugin/fact${index % 400}`)
  })

  it('keeps its names when the line is overwritten', () => {
    const line = bytes('kept/name"')
    readTypeName(new LineScanner(line))
    line.fill(65)
    expect(read('kept/name"')[0]).toBe('kept/name')
  })

  it.each([
    ['an escape', 'a\\u002fb"'],
    ['a control character', 'a/\u0001"'],
    ['a letter beyond ASCII', 'é/a"'],
    ['a name without an end', 'a/b'],
    ['an over-long name', `${'x/'.repeat(100)}"`],
  ])('leaves %s to JSON.parse', (_, text) => {
    expect(read(text)[0]).toBeUndefined()
  })
})
