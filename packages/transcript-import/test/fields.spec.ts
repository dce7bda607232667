import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Fields } from '../src/fields.js'

describe('Fields', () => {
  it('gives back everything that nobody has read', () => {
    const fields = new Fields({ a: 'x', b: 1, c: true, d: null, e: [1], f: {} })
    expect([fields.text('a'), fields.number('b'), fields.flag('c')]).toEqual(['x', 1, true])
    expect(fields.rest()).toEqual({ d: null, e: [1], f: {} })
  })

  it('leaves a field of another type where it is', () => {
    const fields = new Fields({ a: 1, b: 'x', c: 'true', d: [1], e: [{}, 2] })
    expect([fields.text('a'), fields.number('b'), fields.flag('c'), fields.object('d'), fields.objects('e')]).toEqual(
      Array(5).fill(undefined),
    )
    expect(fields.rest()).toEqual(fields.record)
  })

  it('reads objects and lists field by field, and keeps the rest in its place', () => {
    const fields = new Fields({ message: { role: 'user', id: 'm' }, list: [{ a: 1, b: 2 }, { a: 3 }] })
    fields.object('message')!.text('role')
    for (const item of fields.objects('list')!) item.number('a')
    expect(fields.rest()).toEqual({ message: { id: 'm' }, list: { 0: { b: 2 } } })
    fields.object('message')!.text('id')
    fields.objects('list')![0]!.take('b')
    expect(fields.rest()).toBeUndefined()
  })

  it('spends what says nothing of its own, and takes it back', () => {
    const fields = new Fields({ a: 1, b: { c: 2 } })
    fields.spend('a', 'b', 'nothing')
    expect(fields.rest()).toBeUndefined()
    fields.giveBack('a')
    expect(fields.rest()).toEqual({ a: 1 })
  })

  it('reads counts, sums and known words where they are such, and else leaves them', () => {
    const fields = new Fields({ a: 5, b: 1.5, c: -1, d: 8, e: 9, f: 'stop', g: 'refusal' })
    expect(['a', 'b', 'c', 'f', 'none'].map(key => fields.count(key))).toEqual([5, ...Array(4).fill(undefined)])
    fields.sum('d', 5, undefined, 3).sum('e', 5, 3).sum('none')
    for (const key of ['f', 'g', 'none']) fields.spendKnown(key, new Set(['stop']))
    expect(fields.rest()).toEqual({ b: 1.5, c: -1, e: 9, g: 'refusal' })
  })

  it('looks at own fields only, and keeps an own __proto__', () => {
    const fields = new Fields(JSON.parse('{"__proto__":{"a":1}}'))
    expect(fields.take('toString')).toBeUndefined()
    expect(Object.keys(fields.rest()!)).toEqual(['__proto__'])
  })

  it('loses nothing, whatever is read', () => {
    const key = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), fc.array(key), (record, reads) => {
        const fields = new Fields(record as never)
        const used: string[] = reads.filter(name => fields.text(name) !== undefined)
        const kept = Object.entries(record).filter(([name]) => !used.includes(name))
        expect(fields.rest() ?? {}).toEqual(Object.fromEntries(kept))
      }),
    )
  })
})
