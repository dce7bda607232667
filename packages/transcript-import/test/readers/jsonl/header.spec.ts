import { describe, expect, it } from 'vitest'
import { readHeader } from '../../../src/readers/jsonl/header.js'

const header = { version: 1, id: 's', createdAt: 5 }

describe('readHeader', () => {
  it('takes a header as it is, with fields that it does not know', () => {
    const whole = { ...header, cwd: '/w', parentSession: 'p', seedLength: 2, delegationDepth: 0, novel: { a: 1 } }
    expect(readHeader({ type: 'session', ...whole }, 2)).toEqual({ header: whole, left: undefined })
  })

  it('leaves out what no session takes', () => {
    const wrong = { cwd: 'relative', parentSession: '', seedLength: 3, delegationDepth: -1 }
    expect(readHeader({ ...header, ...wrong }, 2)).toEqual({ header, left: wrong })
  })

  it('cannot do without an id and a time', () => {
    expect(readHeader({ version: 1, id: '', createdAt: 5 }, 0).header).toBeUndefined()
    expect(readHeader({ version: 1, id: 's', createdAt: 'x' }, 0)).toEqual({
      header: undefined,
      left: { version: 1, id: 's', createdAt: 'x' },
    })
    expect(readHeader(undefined, 0)).toEqual({ header: undefined, left: undefined })
  })
})
