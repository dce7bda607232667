import { contextWindow, type RequestHeaderReason, Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { type Entry, eventList, foldEvents } from '../support/fold-events.js'

const header = (model: string, provider = 'p', reason: RequestHeaderReason = 'initial') => ({
  header: { config: { provider, model } },
  reason,
})
const capacity = (model: string, tokens: unknown = 1000, provider = 'p') => ({ provider, model, contextWindow: tokens })
const inForce = (...entries: Entry[]) => foldEvents(contextWindow, eventList(...entries)).inForce

describe('contextWindow', () => {
  it('is the last record while it belongs to the route of the header', () => {
    const session = new Session('s')
    session.append('request/header', header('m'))
    expect(session.fold(contextWindow).inForce).toBeUndefined()
    const { data } = session.append('request/context', { provider: 'p', model: 'm', contextWindow: 1000 })
    expect(session.fold(contextWindow)).toEqual({
      header: { config: { provider: 'p', model: 'm' } },
      record: data,
      inForce: data,
    })
  })

  it('is unknown, not stale, once the header names another route', () => {
    const known = [
      ['request/header', header('m')],
      ['request/context', capacity('m')],
    ] as const
    expect(inForce(...known, ['request/header', header('other')])).toBeUndefined()
    expect(inForce(...known, ['request/header', header('m', 'other')])).toBeUndefined()
  })

  it('is known again when the header goes back to the route of the last record', () => {
    const back = inForce(
      ['request/header', header('m')],
      ['request/context', capacity('m')],
      ['request/header', header('other')],
      ['request/header', header('m')],
    )
    expect(back).toEqual(capacity('m'))
  })

  it('is unknown without a header', () => {
    expect(inForce(['request/context', capacity('m')])).toBeUndefined()
  })

  it.each([null, 'x', {}, capacity('m', '1000')])('is unknown when a foreign log records %j', data => {
    expect(inForce(['request/header', header('m')], ['request/context', data])).toBeUndefined()
  })

  it('returns the same state for events that change nothing', () => {
    const [event] = eventList(['user/message', {}])
    const state = contextWindow.initial()
    expect(contextWindow.apply(state, event!)).toBe(state)
  })
})
