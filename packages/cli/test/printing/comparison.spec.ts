import { Session, type SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { printComparison } from '../../src/printing/comparison.js'
import { compareLogs } from '../../src/reading/compare-logs.js'
import { LogBuilder } from '../support/log-builder.js'
import { printed } from '../support/printed.js'
import { useZone } from '../support/zone.js'

useZone()

const base = new LogBuilder().prompt('One').answer('Two').end()

function open(id: string, events: readonly SessionEvent[], meta: object = {}) {
  return new Session(id as Session['id'], events, { version: 1, id: id as Session['id'], createdAt: 0, ...meta })
}

function compare(a: Session, b: Session, withEvents = false) {
  return printed(out => printComparison(out, { a, b, comparison: compareLogs(a, b) }, withEvents))
}

describe('printComparison', () => {
  it('says that nothing differs', async () => {
    expect(await compare(open('a', base.events), open('b', base.events))).toBe(
      '--- a  7 events, 2 messages\n+++ b  7 events, 2 messages\n7 events the same\n  2 messages the same\n',
    )
  })

  it('shows what was added and removed between what stayed, and how the headers differ', async () => {
    const longer = new LogBuilder(base.events).prompt('Three').end()
    const other = open('b', longer.events, { createdAt: 1_000, cwd: '/w' })
    expect(await compare(open('a', base.events), other, true)).toBe(
      [
        '--- a  7 events, 2 messages',
        '+++ b  10 events, 3 messages',
        '7 events the same, 0 only in the first, 3 only in the second',
        'createdAt: 1970-01-01 08:00:00 → 1970-01-01 08:00:01',
        'cwd: none → /w',
        '+      7  2026-01-15 17:30:00.000  turn/start         turn 2 message',
        '+      8  2026-01-15 17:30:00.000  user/message       Three',
        '+      9  2026-01-15 17:30:00.000  turn/end           turn 2 completed',
        '  2 messages the same',
        '+ user  #8  Three',
        '',
      ].join('\n'),
    )
  })
})
