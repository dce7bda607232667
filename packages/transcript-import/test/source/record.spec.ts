import { describe, expect, it } from 'vitest'
import { positionName } from '../../src/source/record.js'

describe('positionName', () => {
  it('names lines, values on a line, and places in documents', () => {
    expect(positionName({ line: 17, byte: 3 })).toBe('17')
    expect(positionName({ line: 17, item: 2 })).toBe('17.2')
    expect(positionName({ path: 'messages[3]' })).toBe('messages[3]')
    expect(positionName({ path: '' })).toBe('document')
    expect(positionName({ line: 2, path: 'messages[3]' })).toBe('2:messages[3]')
  })
})
