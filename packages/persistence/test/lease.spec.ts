import { Session } from '@dsh/session'
import { beforeEach, describe, expect, it } from 'vitest'
import { Lease, leaseOf } from '../src/lease.js'
import { gate } from './faulty-driver.js'
import { PlainStore } from './plain-store.js'

let store: PlainStore
let lease: Lease
let session: Session

beforeEach(() => {
  store = new PlainStore()
  session = new Session('s')
  lease = new Lease(session, store)
})

describe('a lease', () => {
  it('keeps its session in the store until the last reference has gone', async () => {
    expect(leaseOf(session)).toBe(lease)
    const [first, second] = [lease.acquire()!, lease.acquire()!]
    await Promise.all([first(), first(), first()])
    expect(store.get('s')).toBe(session)
    await second()
    expect(store.get('s')).toBeUndefined()
    expect(lease.isEnded).toBe(true)
    expect(lease.acquire()).toBeUndefined()
  })

  it('flushes first, and lets the session go even if that fails', async () => {
    const flushed = gate()
    store.flush = () => flushed.promise
    const released = lease.acquire()!()
    expect(store.get('s')).toBe(session)
    flushed.fail(new Error('disk full'))
    await expect(released).rejects.toThrow('disk full')
    expect(store.get('s')).toBeUndefined()
  })

  it('lives on when somebody takes a reference during that flush', async () => {
    const flushed = gate()
    store.flush = () => flushed.promise
    const released = lease.acquire()!()
    const again = lease.acquire()!
    flushed.open()
    await released
    expect(store.get('s')).toBe(session)
    await again()
    expect(store.get('s')).toBeUndefined()
  })

  it('flushes nothing that its store has taken out already', async () => {
    const release = lease.acquire()!
    store.drop(session)
    store.flush = () => Promise.reject(new Error('not live'))
    await release()
    expect(lease.isEnded).toBe(true)
  })

  it('refuses an id that is live, and leaves no lease', () => {
    const other = new Session('s')
    store.enter = () => {
      throw new Error('taken')
    }
    expect(() => new Lease(other, store)).toThrow('taken')
    expect(leaseOf(other)).toBeUndefined()
  })
})
