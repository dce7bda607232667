import { describe, expect, it } from 'vitest'
import { createGate } from '../src/gate.js'

describe('createGate', () => {
  it('runs as many tasks as it is wide, the others in the order in which they came', async () => {
    for (const width of [1, 2, 3]) {
      const gate = createGate(width)
      const started: number[] = []
      let running = 0
      let most = 0
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          gate(async () => {
            started.push(index)
            most = Math.max(most, ++running)
            for (let turn = 0; turn <= index % 3; turn++) await Promise.resolve()
            running--
          }),
        ),
      )
      expect(started).toEqual(Array.from({ length: 10 }, (_, index) => index))
      expect(most).toBe(width)
    }
  })

  it('goes on after a task that failed', async () => {
    const gate = createGate(1)
    const failing = gate(() => Promise.reject(new Error('no')))
    const next = gate(async () => 7)
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe(7)
  })
})
