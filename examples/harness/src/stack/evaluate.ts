import { interpolate } from '@cordisjs/plugin-loader'
import { SessionError } from '@dsh/session'
import type { Context } from 'cordis'

/**
 * A value of a file, its expressions evaluated.
 * @throws INVALID_CONFIG for an expression that gives a promise; what an expression throws
 */
export function evaluate(ctx: Context, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => evaluate(ctx, item))
  if (!isPlain(value)) return value
  if (!('__jsExpr' in value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, evaluate(ctx, item)]))
  }
  const result = interpolate(ctx, value)
  const promises = promisesIn(result)
  // Nobody will wait for them, and the failure of one would end the process.
  for (const promise of promises) Promise.resolve(promise).catch(() => {})
  if (promises.length === 0) return result
  throw new SessionError('INVALID_CONFIG', { expected: 'a value', found: 'a promise' })
}

function promisesIn(value: unknown, seen = new Set<unknown>()): PromiseLike<unknown>[] {
  if (isThenable(value)) return [value]
  if (seen.has(value) || !(Array.isArray(value) || isPlain(value))) return []
  seen.add(value)
  return Object.values(value).flatMap(item => promisesIn(item, seen))
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** What a file can hold, and no instance of a class. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
