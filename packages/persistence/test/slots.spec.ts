import { describe, expect, it } from 'vitest'
import { OperationSlots } from '../src/slots.js'
import { gate } from './faulty-driver.js'
import { quiet } from './manual-clock.js'

/** Starts an operation that lasts until it is let go. */
function operation(slots: OperationSlots, key: string, started: string[]) {
  const held = gate()
  const done = slots.run(key, () => {
    started.push(key)
    return held.promise
  })
  return { ...held, done }
}

describe('operation slots', () => {
  it('start operations at once while there is room, and not one more', async () => {
    const slots = new OperationSlots(2)
    const started: string[] = []
    const [a, b, c] = ['a', 'b', 'c'].map(key => operation(slots, key, started))
    await quiet()
    expect(started).toEqual(['a', 'b'])
    a!.open()
    await quiet()
    expect(started).toEqual(['a', 'b', 'c'])
    b!.open()
    c!.open()
    await Promise.all([a!.done, b!.done, c!.done])
  })

  it('serve keys in turn, however much one of them has queued', async () => {
    const slots = new OperationSlots(1)
    const started: string[] = []
    const first = operation(slots, 'x', started)
    const rest = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(key => operation(slots, key, started))
    for (const each of rest) each.open()
    first.open()
    await Promise.all(rest.map(each => each.done))
    expect(started).toEqual(['x', 'a', 'b', 'c', 'a', 'b', 'a', 'a'])
  })

  it('hand a place over when an operation fails, whichever way it does', async () => {
    const slots = new OperationSlots(1)
    await expect(slots.run('a', () => Promise.reject(new Error('rejected')))).rejects.toThrow('rejected')
    const thrown = slots.run('a', () => {
      throw new Error('thrown')
    })
    await expect(thrown).rejects.toThrow('thrown')
    expect(await slots.run('b', async () => 7)).toBe(7)
  })
})
