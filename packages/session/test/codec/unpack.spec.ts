import { describe, expect, it } from 'vitest'
import type { PackedRow } from '../../src/codec/packed-row.js'
import { unpack } from '../../src/codec/unpack.js'
import { isDeepFrozen } from './arbitraries.js'

const row: PackedRow = {
  type: 'text-chunks',
  seq: 7,
  count: 3,
  time: 100,
  lastTime: 97,
  turn: 1,
  step: 2,
  index: 3,
  dt: [-5, 2],
  len: [1, 0, 2],
  text: 'a😀',
}

const texts = (row: PackedRow) => unpack(row).map(event => JSON.stringify(event))

describe('unpack', () => {
  it('numbers, times and cuts the members', () => {
    expect(texts(row)).toEqual([
      '{"type":"assistant/chunk","seq":7,"time":100,"data":{"turn":1,"step":2,"chunk":{"type":"text-delta","index":3,"text":"a"}}}',
      '{"type":"assistant/chunk","seq":8,"time":95,"data":{"turn":1,"step":2,"chunk":{"type":"text-delta","index":3,"text":""}}}',
      '{"type":"assistant/chunk","seq":9,"time":97,"data":{"turn":1,"step":2,"chunk":{"type":"text-delta","index":3,"text":"😀"}}}',
    ])
  })

  it('cuts between the halves of a surrogate pair', () => {
    const chunks = unpack({ ...row, len: [2, 1, 0] }).map(event => event.data)
    expect(chunks).toMatchObject([
      { chunk: { text: 'a\ud83d' } },
      { chunk: { text: '\ude00' } },
      { chunk: { text: '' } },
    ])
  })

  it('gives each tag its chunk, with a name where the row has one', () => {
    expect(texts({ ...row, type: 'reasoning-chunks' })[0]).toContain('{"type":"reasoning-delta","index":3,"text":"a"}')
    const call: PackedRow = { ...row, type: 'tool-call-chunks', id: 'c' }
    expect(texts(call)[0]).toContain('{"type":"tool-call-delta","index":3,"id":"c","argumentsDelta":"a"}')
    expect(texts({ ...call, name: '' })[0]).toContain('"id":"c","name":"","argumentsDelta":"a"}')
  })

  it('freezes everything', () => {
    expect(unpack(row).every(isDeepFrozen)).toBe(true)
  })
})
