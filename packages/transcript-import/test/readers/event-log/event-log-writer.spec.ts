import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { LogWriter } from '../../../src/log/log-writer.js'
import { EventLogWriter } from '../../../src/readers/event-log/event-log-writer.js'
import type { SourceEvent } from '../../../src/readers/event-log/source-event.js'
import { brief } from '../../support/brief.js'

const message = (id: string) => ({ id, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text: id }] })
const said = (id: string, more: object = {}): SourceEvent => ({
  type: 'user/message',
  data: message(id),
  surfaceOp: 'append',
  ...more,
})
const result = (id: string, more: object = {}): SourceEvent => ({
  type: 'tool/result',
  data: {
    turn: 1,
    step: 1,
    message: {
      id,
      role: 'user',
      source: { kind: 'tool', callId: 'c' },
      content: [{ type: 'tool-result', toolCallId: 'c', content: [{ type: 'text', text: id }] }],
    },
  },
  surfaceOp: 'append',
  ...more,
})

function write(...events: SourceEvent[]): Session {
  const writer = new LogWriter('jsonl', 0)
  const log = new EventLogWriter(writer)
  for (const event of events) {
    writer.at({ ordinal: 0, position: { line: 1 }, value: {} }, undefined)
    log.write(event, { type: event.type, data: event.data }, event.type)
  }
  log.flush()
  return new Session('s', writer.drain())
}

describe('EventLogWriter', () => {
  it('puts each event in the place of one, also those that the log refuses', () => {
    const session = write(
      said('a'),
      { type: 'bare', data: 1 },
      { type: 'request/header', data: {} },
      { type: 'x/y', data: 2 },
      said('b'),
    )
    expect(brief(session)).toEqual([
      'user: a',
      'record bare {"type":"bare","data":1}',
      'record request/header {"type":"request/header","data":{}}',
      'x/y',
      'user: b',
    ])
  })

  it('numbers events by position where they have no number', () => {
    const session = write(
      said('a', { time: 5 }),
      said('b'),
      said('c', { surfaceOp: { op: 'replace', start: 0, end: 1 }, sourceEventSeqs: [0, 1] }),
    )
    expect(brief(session)).toEqual(['user: a', 'user: b', 'user: c [for 0-1]'])
    expect(session.eventAt(1).time).toBe(5)
  })

  it('says what is missing behind the events, and finds what later ones cite', () => {
    const session = write(
      said('a', { seq: 3 }),
      said('b', { seq: 9 }),
      said('c', { seq: 10, surfaceOp: { op: 'replace', start: 3, end: 9 }, sourceEventSeqs: [3, 5, 9] }),
    )
    expect(brief(session)).toEqual([
      'user: a',
      'user: b',
      'user: c [for 0-1]',
      'note gap: The events 0 to 2 are missing.',
      'note gap: The events 4 to 8 are missing.',
      'note sources: Some sources of an event are not in the log.',
    ])
    expect(session.eventAt(2)).toMatchObject({ sourceEventSeqs: [0, 1] })
  })

  it('completes the sources of a replacement, and keeps one that cannot be done', () => {
    const replace = (start: number, end: number) => ({ surfaceOp: { op: 'replace', start, end } })
    expect(brief(write(said('a'), said('b'), said('c', replace(0, 1))))[2]).toBe('user: c [for 0-1]')
    for (const op of [
      replace(1, 0),
      replace(0, 7),
      { surfaceOp: 'other' },
      { surfaceOp: { op: 'replace', start: 'x', end: 0 } },
    ]) {
      expect(brief(write(said('a'), said('b'), said('c', op)))[2]).toMatch(/^record user\/message/)
    }
    const blank = { ...said('c', replace(0, 0)), data: { ...message('c'), content: [{ type: 'text', text: ' ' }] } }
    expect(brief(write(said('a'), blank))[1]).toMatch(/^record/)
  })

  it('lets a result be rewritten by one of the same call only', () => {
    const replace = { surfaceOp: { op: 'replace', start: 0, end: 0 } }
    expect(brief(write(result('a'), result('b', replace)))[1]).toBe('result c: b [for 0-0]')
    const { data } = result('b') as { data: object }
    expect(brief(write(result('a'), result('b', { ...replace, data: { ...data, step: 2 } })))[1]).toMatch(/^record/)
    expect(brief(write(said('a'), result('b', replace)))[1]).toMatch(/^record/)
  })

  it('refuses a marker on what cannot have one, and takes a message without for an append', () => {
    expect(brief(write({ type: 'x/y', data: 1, surfaceOp: 'append' }))[0]).toMatch(/^record x\/y/)
    expect(brief(write({ type: 'user/message', data: message('a') }))).toEqual(['user: a'])
  })

  it('closes the turn that a log leaves open', () => {
    const writer = new LogWriter('jsonl', 0)
    const log = new EventLogWriter(writer)
    const place = { turn: 1, step: 1 }
    const call = { type: 'tool-call', id: 'c', name: 'n', arguments: '{}' }
    const answer = { id: 'm', role: 'assistant', source: { kind: 'model', provider: 'p', model: 'm' }, content: [call] }
    for (const [type, data] of [
      ['turn/start', { turn: 1, trigger: { kind: 'retry' } }],
      ['step/start', place],
      ['assistant/message', { ...place, message: answer }],
    ] as const) {
      log.write({ type, data: data as never }, { type, data: data as never }, type)
    }
    log.close()
    log.close()
    const session = new Session('s', writer.drain())
    expect(brief(session).slice(3)).toEqual([
      'error c TOOL_NOT_STARTED: Interrupted: the log ends before this call was answered. It may have taken effect.',
      'step 1.1 ends',
      'turn 1 ends interrupted',
    ])
  })
})
