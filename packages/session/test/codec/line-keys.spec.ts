import { describe, expect, it } from 'vitest'
import * as key from '../../src/codec/line-keys.js'

const text = (...parts: (Uint8Array | string)[]) =>
  parts.map(part => (typeof part === 'string' ? part : String.fromCharCode(...part))).join('')

describe('line keys', () => {
  it('join into the lines of the format', () => {
    const replace = text(key.SURFACE_OP, key.REPLACE_START, '1', key.REPLACE_END, '2', key.CLOSE, key.SOURCES, '[1]')
    expect(text(key.TYPE, 'a/b"', key.SEQ, '3', key.TIME, '4', replace, key.DATA, '{}}')).toBe(
      '{"type":"a/b","seq":3,"time":4,"surfaceOp":{"op":"replace","start":1,"end":2},"sourceEventSeqs":[1],"data":{}}',
    )
    expect(text(key.SURFACE_OP, key.APPEND)).toBe(',"surfaceOp":"append"')
    const call = text(key.ID, '"c"', key.NAME, '"n"')
    const block = text(
      key.TURN,
      '1',
      key.STEP,
      '1',
      key.INDEX,
      '0',
      call,
      key.GAPS,
      key.LENGTHS,
      '1],"arguments":"x"}}',
    )
    expect(text(key.TYPE, 'tool-call-chunks"', key.SEQ, '3', key.COUNT, '1', key.TIME, '4', block)).toBe(
      '{"type":"tool-call-chunks","seq":3,"n":1,"time":4,"data":{"turn":1,"step":1,"index":0,"id":"c","name":"n","dt":[],"len":[1],"arguments":"x"}}',
    )
  })
})
