import { describe, expect, it } from 'vitest'
import { documentDamage, documentRecords } from '../../src/source/document-records.js'

describe('documentRecords', () => {
  it('gives the document without its lists, then their elements', () => {
    const records = documentRecords({ id: 's', messages: [{ n: 1 }, 'x'], other: [1] }, ['messages', 'more'])
    expect(records).toEqual([
      { ordinal: 0, position: { path: '' }, value: { id: 's', other: [1] } },
      { ordinal: 1, position: { path: 'messages[0]' }, value: { n: 1 }, list: 'messages' },
      { ordinal: 2, position: { path: 'messages[1]' }, value: 'x', list: 'messages' },
    ])
  })

  it('gives only the elements of a list, and of a document that is nothing else', () => {
    expect(documentRecords([1], [])).toEqual([{ ordinal: 0, position: { path: '[0]' }, value: 1, list: '' }])
    expect(documentRecords({ messages: [1] }, ['messages']).map(({ value }) => value)).toEqual([1])
  })

  it('says on which line a document lies', () => {
    expect(documentRecords([1], [], { line: 4 })[0]!.position).toEqual({ line: 4, path: '[0]' })
  })
})

describe('documentDamage', () => {
  it('tells from which byte on the end is missing', () => {
    const text = '[{"a":"é"},{"b'
    expect(documentDamage({ value: [], text, damage: { start: 10, end: text.length } }, 1)).toEqual({
      ordinal: 1,
      position: { path: '', byte: 11 },
      damage: { reason: 'the document breaks off', text: ',{"b', bytes: 4 },
    })
  })

  it('is nothing for a whole document', () => {
    expect(documentDamage({ value: [], text: '[]' }, 0)).toBeUndefined()
  })
})
