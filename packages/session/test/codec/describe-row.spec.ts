import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeRow, encodeRows } from '../../src/codec/index.js'
import { expectError } from '../support/expect-error.js'
import { bytes, eventLists, textOf } from './arbitraries.js'

const shuffled = (value: object): object => Object.fromEntries(Object.entries(value).reverse())

describe('describeRow', () => {
  it('finds in a line the row that the line was encoded as', () => {
    fc.assert(
      fc.property(eventLists, events => {
        for (const row of encodeRows(events)) expect(describeRow(row.body)).toEqual(row)
      }),
      { numRuns: 200 },
    )
  })

  it('finds the same in a line of another spacing or key order', () => {
    fc.assert(
      fc.property(eventLists, fc.boolean(), (events, reorder) => {
        for (const row of encodeRows(events)) {
          const parsed = JSON.parse(textOf(row))
          const respelled = reorder
            ? JSON.stringify(shuffled(parsed))
            : JSON.stringify(parsed, null, 1).replaceAll('\n', '\t')
          const { body, ...head } = describeRow(bytes(respelled))
          expect({ ...head, body: row.body }).toEqual(row)
          expect(body).toEqual(bytes(respelled))
        }
      }),
    )
  })

  it('leaves the payload of a line unread', () => {
    expect(describeRow(bytes('{"type":"a/b","seq":1,"time":2,"data":!}')).seq).toBe(1)
  })

  it('finds a marker that follows the payload', () => {
    const line = '{"type":"user/message","seq":1,"time":2,"data":{},"surfaceOp":"append"}'
    expect(describeRow(bytes(line)).surface).toBe(true)
    expect(describeRow(bytes('{"type":"user/message","seq":1,"time":2,"data":{}}')).surface).toBe(false)
  })

  it('gives a packed row the time of its last member', () => {
    const line =
      '{"type":"tool-call-chunks","seq":1,"n":6,"time":-20,"data":{"turn":1,"step":1,"index":0,"id":"\\"]","name":"\\\\","dt":[0,5,-7,12,1234],"len":[1,0,0,0,0,0],"arguments":"x"}}'
    expect(describeRow(bytes(line))).toMatchObject({ seq: 1, count: 6, time: 1224, type: 'tool-call-chunks' })
  })

  it.each([
    ['a tag of the storage', '{"type":"session","version":1}', 'type'],
    ['another tag of the storage', '{"type":"commit","next":1,"time":1,"bytes":1,"crc":1}', 'type'],
    ['a tag that nobody knows', '{"type":"audio-chunks","seq":1,"n":1,"time":1,"data":{}}', 'type'],
    ['a type that ends at its slash', '{"type":"a/","seq":1,"time":1,"data":{}}', 'type'],
    ['no type', '{"seq":1,"time":1,"data":{}}', 'type'],
    ['a negative seq', '{"type":"a/b","seq":-1,"time":1,"data":{}}', 'seq'],
    ['a fractional seq', '{"type":"a/b","seq":1.5,"time":1,"data":{}}', 'seq'],
    ['a seq that is not safe', '{"type":"a/b","seq":9007199254740992,"time":1,"data":{}}', 'seq'],
    ['a time of minus zero', '{"type":"a/b","seq":1,"time":-0,"data":{}}', 'time'],
    ['a time as text', '{"type":"a/b","seq":1,"time":"1","data":{}}', 'time'],
    ['no time', '{"type":"a/b","seq":1,"data":{}}', 'time'],
    ['no payload', '{"type":"a/b","seq":1,"time":1}', 'data'],
    ['an unknown key', '{"type":"a/b","seq":1,"time":1,"extra":1,"data":{}}', 'extra'],
    [
      'one gap too few',
      '{"type":"text-chunks","seq":1,"n":3,"time":1,"data":{"turn":1,"step":1,"index":0,"dt":[1],"len":[1,1,1],"text":"abc"}}',
      'data.dt',
    ],
    [
      'one gap too many',
      '{"type":"text-chunks","seq":1,"n":2,"time":1,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"len":[1,1],"text":"ab"}}',
      'data.dt',
    ],
    [
      'no members',
      '{"type":"text-chunks","seq":1,"n":0,"time":1,"data":{"turn":1,"step":1,"index":0,"dt":[],"len":[],"text":""}}',
      'n',
    ],
    [
      'seqs that overflow',
      '{"type":"text-chunks","seq":9007199254740991,"n":2,"time":1,"data":{"turn":1,"step":1,"index":0,"dt":[1],"len":[1,1],"text":"ab"}}',
      'n',
    ],
    [
      'times that overflow',
      '{"type":"text-chunks","seq":1,"n":2,"time":9007199254740991,"data":{"turn":1,"step":1,"index":0,"dt":[1],"len":[1,1],"text":"ab"}}',
      'data.dt[0]',
    ],
    [
      'a call without its id',
      '{"type":"tool-call-chunks","seq":1,"n":1,"time":1,"data":{"turn":1,"step":1,"index":0,"dt":[],"len":[1],"arguments":"a"}}',
      'data.id',
    ],
  ])('refuses %s', (_, line, path) => {
    expect(expectError('INVALID_EVENT', () => describeRow(bytes(line))).path).toBe(path)
  })

  it('refuses what is no line of JSON', () => {
    for (const line of [
      '',
      '{}}',
      '[]',
      'null',
      '{"type":"a/b","seq":01,"time":1,"data":{}}',
      '{"type":"a/b",\n"seq":1,"time":1,"data":{}}',
    ]) {
      expectError('INVALID_EVENT', () => describeRow(bytes(line)))
    }
  })
})
