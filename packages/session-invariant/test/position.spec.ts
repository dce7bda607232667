import { describe, expect, it } from 'vitest'
import { describePosition, isOpen, move, outside } from '../src/position.js'
import { logOf, raw, stepEnd, stepStart, turnEnd, turnStart } from './support/draft.js'

describe('move', () => {
  it('follows what opens and closes', () => {
    const log = logOf(turnStart(2), stepStart(1, 2), raw('acme/note'), stepEnd(1, 2), turnEnd(2))
    const positions = log.map((_, index) => log.slice(0, index + 1).reduce(move, outside))
    expect(positions).toEqual([
      { turn: 2, step: 0 },
      { turn: 2, step: 1 },
      { turn: 2, step: 1 },
      { turn: 2, step: 0 },
      { turn: 0, step: 0 },
    ])
  })
})

describe('isOpen', () => {
  it('takes 0 for nothing, whoever asks', () => {
    expect(isOpen(outside, 0)).toBe(false)
    expect(isOpen({ turn: 1, step: 0 }, 1, 0)).toBe(false)
    expect(isOpen({ turn: 1, step: 0 }, 1)).toBe(true)
    expect(isOpen({ turn: 1, step: 2 }, 1, 2)).toBe(true)
    expect(isOpen({ turn: 1, step: 2 }, 2, 2)).toBe(false)
  })
})

describe('describePosition', () => {
  it('says where it is', () => {
    const positions = [outside, { turn: 3, step: 0 }, { turn: 3, step: 1 }]
    expect(positions.map(describePosition)).toEqual(['no open turn', 'turn 3 between its steps', 'turn 3, step 1'])
  })
})
