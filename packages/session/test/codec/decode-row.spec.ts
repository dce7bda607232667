import type { StoredRow } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRow, describeRow, encodeRows } from '../../src/codec/index.js'
import { isSessionError } from '../../src/error.js'
import { expectError } from '../support/expect-error.js'
import { bytes, eventLists, isDeepFrozen, textOf } from './arbitraries.js'

const lineRow = (text: string): StoredRow => describeRow(bytes(text))
const event = '{"type":"a/b","seq":7,"time":5,"data":{"x":[1]}}'
const packed =
  '{"type":"text-chunks","seq":7,"n":2,"time":5,"data":{"turn":1,"step":1,"index":0,"dt":[1],"len":[1,2],"text":"abc"}}'

/** Decodes bytes from nowhere as a driver would; undefined when they are refused as they should be. */
function tryDecode(body: Uint8Array) {
  try {
    const row = describeRow(body)
    return { row, events: decodeRow(row) }
  } catch (error) {
    if (isSessionError(error, 'INVALID_EVENT')) return undefined
    throw error
  }
}

describe('decodeRow', () => {
  it('gives deep-frozen events', () => {
    fc.assert(
      fc.property(eventLists, events => {
        for (const row of encodeRows(events)) expect(decodeRow(row).every(isDeepFrozen)).toBe(true)
      }),
    )
  })

  it('refuses damaged lines or reads them as events that store again to the same', () => {
    const damage = fc.record({
      at: fc.nat(),
      remove: fc.nat(3),
      insert: fc.constantFrom('', '0', '-', ',', '"', ']', '{', '\\', 'é', ' ', '9'),
    })
    fc.assert(
      fc.property(eventLists, fc.array(damage, { minLength: 1, maxLength: 2 }), (events, damages) => {
        for (const row of encodeRows(events)) {
          const body = [...row.body]
          for (const { at, remove, insert } of damages) body.splice(at % body.length, remove, ...bytes(insert))
          const read = tryDecode(Uint8Array.from(body))
          if (read === undefined) continue
          expect(read.events.map(({ seq }) => seq)).toEqual(
            Array.from({ length: read.row.count }, (_, index) => read.row.seq + index),
          )
          expect(read.events.every(({ time }) => Number.isSafeInteger(time))).toBe(true)
          // As text: a payload may hold -0 by such damage, which is for the validator to refuse.
          const again = encodeRows(read.events).flatMap(decodeRow)
          expect(JSON.stringify(again)).toBe(JSON.stringify(read.events))
        }
      }),
      { numRuns: 150 },
    )
  })

  it('refuses every proper beginning of a line', () => {
    for (const text of [event, packed]) {
      for (let end = 0; end < text.length; end++) expect(tryDecode(bytes(text.slice(0, end)))).toBeUndefined()
    }
  })

  it('refuses random bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), body => tryDecode(body) === undefined))
  })

  it.each([
    ['seq', 8],
    ['count', 3],
    ['time', 99],
    ['type', 'reasoning-chunks'],
    ['surface', true],
  ])('refuses a row whose %s is not that of its body', (key, value) => {
    const error = expectError('INVALID_EVENT', () => decodeRow({ ...lineRow(packed), [key]: value }))
    expect(error.path).toBe(key)
    expect(error.seq).toBe(key === 'seq' ? value : 7)
  })

  it('refuses a key that counts twice where the second differs from the one that the row was found by', () => {
    const error = expectError('INVALID_EVENT', () => decodeRow(lineRow(`${event.slice(0, -1)},"seq":8}`)))
    expect(error.path).toBe('seq')
  })

  it('keeps an event of a type that nobody here knows', () => {
    expect(decodeRow(lineRow(event))).toEqual([{ type: 'a/b', seq: 7, time: 5, data: { x: [1] } }])
  })

  it('reads a line of another key order into an event of the usual one', () => {
    const row = lineRow(
      '{ "data": "x", "sourceEventSeqs": [1], "time": 5, "surfaceOp": "append", "seq": 7, "type": "user/message" }',
    )
    const [decoded] = decodeRow(row)
    expect(Object.keys(decoded!)).toEqual(['type', 'seq', 'time', 'surfaceOp', 'sourceEventSeqs', 'data'])
  })

  it('does not share memory with the row', () => {
    const row = lineRow(packed)
    const before = decodeRow(row)
    const copy = JSON.stringify(before)
    row.body.fill(0)
    expect(JSON.stringify(before)).toBe(copy)
    expect(textOf(row)).toBe('\0'.repeat(packed.length))
  })
})
