import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bounded, OutputTail } from '../../src/tools/bounds.ts'

const isWhole = (text: string) => text.isWellFormed()

describe('bounded', () => {
  it('leaves a short text alone, and keeps beginning and end of a long one without cutting a character in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 2, max: 60 }), (text, limit) => {
        const result = bounded(text, limit)
        if (text.length <= limit) {
          expect(result).toBe(text)
          return
        }
        const [, head, left, tail] = /^([\s\S]*)\n… (\d+) characters left out …\n([\s\S]*)$/.exec(result)!
        expect(text.startsWith(head!) && text.endsWith(tail!)).toBe(true)
        expect(head!.length + tail!.length + Number(left)).toBe(text.length)
        expect(head!.length + tail!.length).toBeLessThanOrEqual(limit)
        expect(isWhole(head!) && isWhole(tail!)).toBe(isWhole(text))
      }),
    )
  })
})

describe('OutputTail', () => {
  it('ends like the whole output, and holds no more than twice its limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 40 })),
        fc.integer({ min: 1, max: 30 }),
        (parts, limit) => {
          const output = new OutputTail(limit)
          for (const part of parts) output.push(part)
          const whole = parts.join('')
          const [, dropped = '0', tail] = /^(?:… (\d+) characters left out …\n)?([\s\S]*)$/.exec(output.toString())!
          expect(whole.endsWith(tail!)).toBe(true)
          expect(tail!.length).toBeLessThanOrEqual(limit * 2)
          expect(Number(dropped)).toBe(whole.length - tail!.length)
        },
      ),
    )
  })
})
