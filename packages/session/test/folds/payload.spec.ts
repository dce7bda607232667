import { describe, expect, it } from 'vitest'
import { payloadField, payloadNumber, payloadText } from '../../src/folds/payload.js'

describe('payloadField', () => {
  it('reads own fields of objects and nothing of anything else', () => {
    expect(payloadField({ a: null }, 'a')).toBeNull()
    for (const data of [{}, null, undefined, 'text', 7, true, []]) expect(payloadField(data, 'a')).toBeUndefined()
    expect(payloadField({}, 'toString')).toBeUndefined()
    expect(payloadField(JSON.parse('{"__proto__":1}'), '__proto__')).toBe(1)
  })
})

describe('payloadNumber', () => {
  it('takes whole numbers only', () => {
    expect([0, 7, -3].map(turn => payloadNumber({ turn }, 'turn'))).toEqual([0, 7, -3])
    for (const turn of [1.5, 2 ** 60, '1', null, [1]]) expect(payloadNumber({ turn }, 'turn')).toBeUndefined()
  })
})

describe('payloadText', () => {
  it('takes strings only', () => {
    expect(payloadText({ name: 'x' }, 'name')).toBe('x')
    for (const name of [1, null, ['x'], undefined]) expect(payloadText({ name }, 'name')).toBe('')
  })
})
