import { describe, expect, it } from 'vitest'
import { countEvent, noCounts } from '../../src/folds/outline-counts.js'
import { assistant, result, user } from '../support/events.js'
import { eventList } from '../support/fold-events.js'

const count = (type: string, data: unknown) => countEvent(noCounts, eventList([type, data])[0]!)

describe('countEvent', () => {
  it.each([
    ['user/message', user('a'), { prompts: 1 }],
    ['user/message', { ...user('a'), source: { kind: 'plugin', plugin: 'x' } }, { injections: 1 }],
    ['steering/message', { message: user('a') }, { steering: 1 }],
    ['assistant/message', { message: assistant('a', ['x', 'y']) }, { answers: 1, calls: 2 }],
    ['tool/result', { message: result('x', 'ok') }, { results: 1 }],
    ['tool/result', { message: result('x', 'ok', false) }, { results: 1 }],
    ['tool/result', { message: result('x', 'no', true) }, { results: 1, failedResults: 1 }],
  ])('counts a %s', (type, data, change) => {
    expect(count(type, data)).toEqual({ ...noCounts, ...change })
  })

  it('returns the same counts for what it does not count', () => {
    expect(count('tool/call', {})).toBe(noCounts)
    expect(count('stranger/fact', null)).toBe(noCounts)
  })
})
