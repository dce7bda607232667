import { Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import { sessionScope } from '../src/scope.js'

function scoped(store: Context, owner: Context, listener: Context): boolean {
  return sessionScope(store, owner)[Context.filter](listener)
}

describe('sessionScope', () => {
  it('reaches the isolate of the store and no other', () => {
    const root = new Context()
    const a = root.isolate('sessions')
    const b = root.isolate('sessions')
    expect(scoped(a, a, a.extend())).toBe(true)
    expect(scoped(a, a, a.isolate('other'))).toBe(true)
    expect(scoped(a, a, b)).toBe(false)
    expect(scoped(a, a, root)).toBe(false)
    expect(scoped(root, root, a)).toBe(false)
  })

  it('reaches every context that shares the label of an isolate', () => {
    const root = new Context()
    const label = Symbol('shared')
    expect(scoped(root.isolate('sessions', label), root, root.isolate('sessions', label))).toBe(true)
  })

  it('follows a context that a loader moves to another isolate', () => {
    const root = new Context()
    const store = root.isolate('sessions')
    const listener = root.isolate('sessions')
    const scope = sessionScope(store, store)
    expect(scope[Context.filter](listener)).toBe(false)
    listener[Context.isolate].sessions = store[Context.isolate].sessions!
    expect(scope[Context.filter](listener)).toBe(true)
  })

  it('narrows to what the filter of the owner accepts, asked with the owner as this', () => {
    const root = new Context()
    const [friend, stranger] = [root.extend(), root.extend()]
    const owner = root.extend({
      [Context.filter](this: unknown, listener: Context) {
        return this === owner && listener === friend
      },
    })
    expect(scoped(root, owner, friend)).toBe(true)
    expect(scoped(root, owner, stranger)).toBe(false)
    expect(scoped(root, root, stranger)).toBe(true)
  })
})
