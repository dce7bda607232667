import { describe, expect, it } from 'vitest'
import { systemClock, within } from '../src/clock.js'
import { ManualClock, quiet } from './manual-clock.js'

describe('systemClock', () => {
  it('calls back once, unless that is taken back', async () => {
    const calls: string[] = []
    systemClock.setTimer(() => calls.push('cancelled'), 0)()
    await new Promise<void>(resolve => {
      systemClock.setTimer(() => {
        calls.push('due')
        resolve()
      }, 0)
    })
    expect(calls).toEqual(['due'])
  })

  it('takes a pause that is longer than a timer can be', async () => {
    let isCalled = false
    const cancel = systemClock.setTimer(() => {
      isCalled = true
    }, 1e300)
    await quiet()
    cancel()
    expect(isCalled).toBe(false)
  })

  it('lets what waits run first', async () => {
    const order: string[] = []
    setImmediate(() => order.push('waiting'))
    await systemClock.breathe()
    expect(order).toEqual(['waiting'])
    expect(systemClock.now()).toBeGreaterThan(0)
    expect(systemClock.wallTime()).toBeGreaterThan(1_600_000_000_000)
  })
})

describe('within', () => {
  it('waits for the work, or until its deadline, and leaves no timer behind', async () => {
    const clock = new ManualClock()
    clock.time = 50
    await within(clock, 150, Promise.resolve())
    expect(clock.pending).toEqual([])
    let isOver = false
    const waiting = within(clock, 150, new Promise(() => {})).then(() => {
      isOver = true
    })
    await clock.advance(99)
    expect(isOver).toBe(false)
    await clock.advance(1)
    await waiting
    await Promise.all([within(clock, 0, new Promise(() => {})), clock.advance(0)])
    await expect(within(clock, 100, Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(clock.pending).toEqual([])
  })
})
