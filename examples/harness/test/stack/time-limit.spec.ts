import { expect, it, onTestFinished, vi } from 'vitest'
import { inTime } from '../../src/stack/time-limit.ts'

it('gives what comes in time, and keeps no timer', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  await expect(inTime(Promise.resolve(7), 10)).resolves.toBe(7)
  await expect(inTime(Promise.reject(new Error('no')), 10)).rejects.toThrow('no')
  expect(vi.getTimerCount()).toBe(0)
})

it('gives up what comes later, be it a failure, and tells', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { promise, reject } = Promise.withResolvers<void>()
  const late = vi.fn()
  const waiting = inTime(promise, 30_000, late)
  const refused = expect(waiting).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    expected: 'a plugin that starts within 30 s',
    found: 'one that is still starting',
  })
  vi.advanceTimersByTime(29_999)
  expect(late).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  await refused
  expect(late).toHaveBeenCalledOnce()
  reject(new Error('much later'))
})
