import { callId, type Message, userMessage } from '@dsh/llm'
import { recordTurn, requestAt, Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { user } from './support/events.js'
import { expectError } from './support/expect-error.js'

const header = (system: string) => ({ config: { provider: 'p', model: 'm' }, system })

describe('requestAt', () => {
  it('gives every request of a log exactly as it was sent', () => {
    const session = new Session('s')
    const sent: { seq: number; header: unknown; messages: Message[] }[] = []
    for (const prompt of ['one', 'two']) {
      const turn = recordTurn(session)
      turn.prompt(userMessage(prompt))
      for (const system of ['first', prompt]) {
        const step = turn.step()
        step.header(header(system))
        step.context({ provider: 'p', model: 'm', contextWindow: 1000 })
        sent.push({ seq: session.seq, header: header(system), messages: session.deriveMessages() })
        step.message([{ type: 'tool-call', id: callId('c'), name: 'ls', arguments: '{}' }])
        step.call(callId('c'))
        step.result(callId('c'), 'a.txt')
        step.end()
      }
      turn.close()
    }
    const [first, last] = [session.surface.nodes[0]!, session.surface.nodes.at(-1)!]
    const sourceEventSeqs = [...session.surface.nodes]
    session.append('user/message', user('summary'), {
      surfaceOp: { op: 'replace', start: first, end: last },
      sourceEventSeqs,
    })
    for (const { seq, ...request } of sent) expect(requestAt(session, seq)).toEqual({ ...request, contextWindow: 1000 })
    expect(requestAt(session, session.seq).messages).toHaveLength(1)
  })

  it('shares the messages of the log', () => {
    const session = new Session('s')
    const { data } = session.append('user/message', user('a'), { surfaceOp: 'append' })
    expect(requestAt(session, 1).messages[0]).toBe(data)
  })

  it('gives the header in canonical form, and none before the first', () => {
    const session = new Session('s')
    expect(requestAt(session, 0)).toEqual({ messages: [] })
    session.append('request/header', { header: { ...header(''), tools: [] }, reason: 'initial' })
    expect(requestAt(session, 0)).toEqual({ messages: [] })
    expect(requestAt(session, 1)).toEqual({ header: { config: header('').config }, messages: [] })
  })

  it('knows no capacity that belongs to another route', () => {
    const session = new Session('s')
    session.append('request/header', { header: header('x'), reason: 'initial' })
    session.append('request/context', { provider: 'p', model: 'other', contextWindow: 9 })
    expect(requestAt(session, 2)).not.toHaveProperty('contextWindow')
  })

  it.each([-1, 1, 0.5])('refuses %d in an empty log', seq => {
    expectError('INVALID_BOUNDARY', () => requestAt(new Session('s'), seq))
  })
})
