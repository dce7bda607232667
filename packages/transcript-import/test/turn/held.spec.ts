import { describe, expect, it } from 'vitest'
import { HeldItems } from '../../src/turn/held.js'

const item = (callId?: string) => ({ write: () => {}, ...(callId !== undefined && { callId }) })

describe('HeldItems', () => {
  it('gives items back in order, or first those that answer one of the calls', () => {
    const held = new HeldItems()
    const [a, b, c] = [item(), item('1'), item('2')]
    for (const each of [a, b, c]) held.push(each)
    expect(held.answers('2')).toBe(true)
    expect(held.take(new Set(['2', '3']))).toBe(c)
    expect(held.take(new Set(['3']))).toBeUndefined()
    expect([held.take(), held.take(), held.take()]).toEqual([a, b, undefined])
  })

  it('takes an item in between', () => {
    const held = new HeldItems()
    const [a, b] = [item(), item()]
    held.push(b)
    held.insert(0, a)
    expect(held.size).toBe(2)
    expect([held.take(), held.take()]).toEqual([a, b])
  })
})
