import { describe, expect, it } from 'vitest'
import { isPackedTag, readPackedRow } from '../../src/codec/packed-row.js'
import { expectError } from '../support/expect-error.js'

const data = { turn: 1, step: 2, index: 0, dt: [5, -3], len: [1, 0, 2], text: 'abc' }
const row = { type: 'text-chunks', seq: 7, n: 3, time: 100, data }
const { text, ...rest } = data
const call = { ...row, type: 'tool-call-chunks', data: { ...rest, id: 'c', arguments: text } }
const read = (line: object) => readPackedRow({ ...line }, 'text-chunks')
const readCall = (line: object) => readPackedRow({ ...line }, 'tool-call-chunks')

describe('readPackedRow', () => {
  it('gives the parts of a row, and the time of its last member', () => {
    const { type: _, ...common } = data as typeof data & { type?: never }
    expect(read(row)).toEqual({ type: 'text-chunks', seq: 7, count: 3, time: 100, lastTime: 102, ...common })
    expect(readCall(call)).toMatchObject({ id: 'c', text: 'abc' })
    expect(readCall(call)).not.toHaveProperty('name')
    expect(readCall({ ...call, data: { ...call.data, name: 'n' } })).toMatchObject({ id: 'c', name: 'n' })
  })

  it.each([
    [{ seq: undefined }, 'seq'],
    [{ seq: -0 }, 'seq'],
    [{ n: '3' }, 'n'],
    [{ n: -3 }, 'n'],
    [{ n: 0, data: { ...data, dt: [], len: [] } }, 'n'],
    [{ seq: Number.MAX_SAFE_INTEGER - 1 }, 'n'],
    [{ time: 1.5 }, 'time'],
    [{ time: null }, 'time'],
    [{ surfaceOp: 'append' }, 'surfaceOp'],
    [{ data: [] }, 'data'],
    [{ data: null }, 'data'],
    [{ data: { ...data, turn: '1' } }, 'data.turn'],
    [{ data: { ...data, step: 0.5 } }, 'data.step'],
    [{ data: { ...data, index: undefined } }, 'data.index'],
    [{ data: { ...data, id: 'c' } }, 'data.id'],
    [{ data: { ...data, arguments: 'abc' } }, 'data.arguments'],
    [{ data: { ...data, text: 7 } }, 'data.text'],
    [{ data: { ...data, dt: '5' } }, 'data.dt'],
    [{ data: { ...data, dt: [5] } }, 'data.dt'],
    [{ data: { ...data, dt: [5, 1, 1] } }, 'data.dt'],
    [{ data: { ...data, dt: [5, 1.5] } }, 'data.dt[1]'],
    [{ data: { ...data, dt: [null, 1] } }, 'data.dt[0]'],
    [{ data: { ...data, dt: [Number.MAX_SAFE_INTEGER, 0] } }, 'data.dt[0]'],
    [{ data: { ...data, len: { length: 3 } } }, 'data.len'],
    [{ data: { ...data, len: [3] } }, 'data.len'],
    [{ data: { ...data, len: [1, 1, 2] } }, 'data.len'],
    [{ data: { ...data, len: [1, 1, 0] } }, 'data.len'],
    [{ data: { ...data, len: [4, -1, 0] } }, 'data.len[1]'],
    [{ data: { ...data, len: [1.5, 1.5, 0] } }, 'data.len[0]'],
    [{ data: { ...data, len: [1, 2, '0'] } }, 'data.len[2]'],
  ])('refuses a row with %j', (change, path) => {
    const error = expectError('INVALID_EVENT', () => read({ ...row, ...change }))
    expect(error.path).toBe(path)
    if (path !== 'seq') expect(error.seq).toBe('seq' in change ? change.seq : 7)
  })

  it.each([
    [{ id: undefined }, 'data.id'],
    [{ id: 1 }, 'data.id'],
    [{ name: null }, 'data.name'],
    [{ arguments: undefined }, 'data.arguments'],
    [{ text: 'abc' }, 'data.text'],
  ])('refuses a tool call with %j', (change, path) => {
    const error = expectError('INVALID_EVENT', () => readCall({ ...call, data: { ...call.data, ...change } }))
    expect(error.path).toBe(path)
  })
})

describe('isPackedTag', () => {
  it('knows the three tags and nothing else', () => {
    expect(['text-chunks', 'reasoning-chunks', 'tool-call-chunks'].every(isPackedTag)).toBe(true)
    expect(['commit', 'session', 'assistant/chunk', 'toString', '', undefined, 1].some(isPackedTag)).toBe(false)
  })
})
