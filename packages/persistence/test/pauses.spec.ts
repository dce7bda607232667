import { expect, it } from 'vitest'
import { Pauses } from '../src/pauses.js'
import { ManualClock } from './manual-clock.js'

it('asks for a pause when a slice has taken too long, and then begins a new one', async () => {
  const clock = new ManualClock()
  let breaths = 0
  clock.breathe = async () => {
    breaths++
    clock.time += 100
  }
  const pauses = new Pauses(clock, 2)
  clock.time = 5
  expect([pauses.isDue(), pauses.isDue()]).toEqual([false, false])
  clock.time = 9
  expect([pauses.isDue(), pauses.isDue()]).toEqual([false, true])
  await pauses.take()
  expect(breaths).toBe(1)
  expect([pauses.isDue(), pauses.isDue()]).toEqual([false, false])
})
