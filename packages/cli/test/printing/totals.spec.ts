import { describe, expect, it } from 'vitest'
import { printTotals } from '../../src/printing/totals.js'
import { Totals } from '../../src/reading/totals.js'
import { printed } from '../support/printed.js'

function sample(): Totals {
  const totals = new Totals()
  totals.states.ok = 2
  totals.states.unfinished = 1
  totals.states.corrupt = 1
  totals.bytes = 12_345
  totals.events = 1_000
  totals.turns = 3
  totals.calls = 1
  totals.tokens = { inputTokens: 10, outputTokens: 5 }
  totals.routes = new Map([['p/m', { inputTokens: 10, outputTokens: 4, reasoningTokens: 1, cacheReadTokens: 7 }]])
  totals.tools.set('read', { calls: 2, errors: 1, time: 1_500 })
  totals.types.set('turn/start', 3)
  return totals
}

describe('printTotals', () => {
  it('prints sums, then tables', async () => {
    expect(await printed(out => printTotals(out, sample()))).toBe(
      [
        'sessions   4, 1 unfinished, 1 corrupt',
        'stored     1,000 events, 12.3 kB',
        'turns      3',
        'tokens     10 in, 5 out in 1 call',
        '',
        'MODEL  IN  CACHED  OUT',
        'p/m    10       7    5',
        '',
        'TOOL  CALLS  ERRORS   TIME',
        'read      2       1  1.5 s',
        '',
        'TYPE        EVENTS',
        'turn/start       3',
        '',
      ].join('\n'),
    )
  })
})
