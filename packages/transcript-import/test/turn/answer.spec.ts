import { describe, expect, it } from 'vitest'
import { splitCalls } from '../../src/turn/answer.js'
import { call, said } from '../support/turns.js'

describe('splitCalls', () => {
  it('gives the calls, and sets those apart that repeat an id', () => {
    const content = [said('a'), call('1'), call('2'), call('1')]
    const { content: kept, calls, repeated } = splitCalls(content)
    expect(kept).toEqual([said('a'), call('1'), call('2')])
    expect([calls, repeated]).toEqual([[call('1'), call('2')], [call('1')]])
  })
})
