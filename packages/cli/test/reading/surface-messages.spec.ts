import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { surfaceMessages } from '../../src/reading/surface-messages.js'
import { LogBuilder, START } from '../support/log-builder.js'

describe('surfaceMessages', () => {
  it('gives the derived history, each message with the event that put it there', () => {
    const log = new LogBuilder()
      .prompt('One')
      .answer('', {})
      .answer('Two', { calls: [{ name: 'read', result: 'text' }] })
      .end()
    const session = new Session('s' as Session['id'], log.events)
    const found = surfaceMessages(session)
    expect(found.map(({ message }) => message)).toEqual(session.deriveMessages())
    expect(found[0]).toMatchObject({ seq: 1, time: START })
    for (const { seq, time } of found) expect(session.eventAt(seq).time).toBe(time)
  })

  it('has what a replacement left, in its place', () => {
    const log = new LogBuilder().prompt('One').answer('Two').end().prompt('Three').end()
    const summary = {
      id: 'sum',
      role: 'user',
      source: { kind: 'plugin', plugin: 'compaction' },
      content: [{ type: 'text', text: 'S' }],
    }
    const seqs = log.events.filter(event => 'surfaceOp' in event).map(({ seq }) => seq)
    log.message('user/message', summary, { op: 'replace', start: seqs[0]!, end: seqs[1]! }, seqs.slice(0, 2))
    const found = surfaceMessages(new Session('s' as Session['id'], log.events))
    expect(found.map(({ seq }) => seq)).toEqual([log.events.length - 1, seqs[2]])
  })
})
