import { describe, expect, it } from 'vitest'
import { brief, course, seen } from '../../support/brief.js'
import { busy } from '../../support/busy.js'
import { lines, read } from '../../support/read.js'
import { samples } from '../../support/samples.js'

describe('the OpenHands reader', () => {
  it('reads the events of version 0', async () => {
    const { session, report } = await read(samples.openhands)
    expect(report.format).toBe('openhands')
    expect(course(session)).toEqual([
      'turn 1 by user',
      'user: hello',
      'step 1.1',
      'answer: hm | run#openhands:1 {"command":"ls"}',
      'call openhands:1',
      'result openhands:1: ok',
      'step 1.1 ends',
      'step 1.2',
      'answer: done',
      'step 1.2 ends',
      'turn 1 ends completed',
    ])
    expect(session.eventAt(0).time).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 500))
  })

  it('puts the actions of one response into one answer, and leaves out what was condensed', async () => {
    const { session } = await read(busy.openhands!)
    expect(course(session).filter(line => /^(answer|result|turn|openhands|header|note)/.test(line))).toEqual([
      'turn 1 by user',
      'header initial unknown unknown "rules"',
      'answer: hm | terminal#t1 {} | terminal#t2 {}',
      'result t2: ok',
      'result t1: ok',
      // Of an answer and its results only some were to go, and they cannot be parted.
      'note compaction: The summary replaces no message, so it follows those that stay.',
      'openhands: sum',
      'turn 1 ends aborted',
    ])
    expect(brief(session)).toContain(
      'rest unpaired result {"callId":"t9","content":[{"type":"text","text":"no"}],"isError":true}',
    )
  })

  it('replaces the messages of the events that a condensation names', async () => {
    const message = (id: number, source: string, content: string) => ({
      id,
      timestamp: '2026-01-01T00:00:00',
      source,
      action: 'message',
      args: { content },
    })
    const { session } = await read(
      lines(message(0, 'user', 'a'), message(1, 'agent', 'b'), message(2, 'user', 'c'), {
        id: 3,
        timestamp: '2026-01-01T00:00:00',
        source: 'agent',
        action: 'condensation',
        args: { forgotten_event_ids: [1], summary: 'sum' },
      }),
    )
    expect(seen(session)).toEqual(['user: a', 'openhands: sum', 'user: c'])
  })

  it('reads an evaluation row a line, each a session', async () => {
    const row = (id: string) => ({ instance_id: id, history: JSON.parse(samples.openhands), metrics: { cost: 1 } })
    const { sessions, report } = await read(lines(row('one'), row('two'), row('one')))
    expect(sessions.map(({ id }) => id)).toEqual(['one', 'two', 'one/2'])
    expect(report.kinds.row).toEqual({ records: 3, kept: 3, partly: 0 })
    for (const session of sessions) expect(session.deriveMessages()).toHaveLength(4)
  })
})
