import { SessionError } from '@dsh/session'

/**
 * What a step of a plugin results in, within so many milliseconds.
 * @param late called for one that takes longer, and is left to itself
 * @throws INVALID_CONFIG for such a one; what the step fails with
 */
export async function inTime<T>(step: Promise<T>, limitMs: number, late: () => void = () => {}): Promise<T> {
  const { promise: limit, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late()
    const expected = `a plugin that starts within ${limitMs / 1000} s`
    reject(new SessionError('INVALID_CONFIG', { expected, found: 'one that is still starting' }))
  }, limitMs)
  try {
    return await Promise.race([step, limit])
  } finally {
    clearTimeout(timer)
  }
}
