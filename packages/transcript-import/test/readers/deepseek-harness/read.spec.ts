import { describe, expect, it } from 'vitest'
import { brief, course, seen } from '../../support/brief.js'
import { lines, read } from '../../support/read.js'
import { samples } from '../../support/samples.js'

const header = { type: 'session', version: 0, id: 's', createdAt: 5 }
const text = (value: string) => ({ type: 'text', text: value })
const event = (type: string, data: object, more: object = {}) => ({ type, data, ...more })
const user = (value: string, source: object = { kind: 'user' }) =>
  event('user/message', { id: value, role: 'user', source, content: [text(value)] }, { surfaceOp: 'append' })

describe('the version 0 reader', () => {
  it('reads a log with its packed rows and early messages, each event in its place', async () => {
    const { session, report } = await read(samples['deepseek-harness'])
    expect(report.format).toBe('deepseek-harness')
    expect(session.header).toEqual({ version: 1, id: 's', createdAt: 5, cwd: '/w' })
    expect(brief(session)).toEqual([
      'turn 1 by user',
      'user: hello',
      'step 1.1',
      'assistant/chunk',
      'assistant/chunk',
      'answer: hey',
      'step 1.1 ends',
      'turn 1 ends completed',
    ])
    expect(session.eventAt(4).time).toBe(9)
    expect(session.eventAt(5)).toMatchObject({ sourceEventSeqs: [3, 4] })
  })

  it('tells what started a turn from its first message, best one of a person', async () => {
    const starts = async (...messages: object[]) => {
      const { session } = await read(lines(header, event('turn/start', { turn: 1 }), ...messages))
      return brief(session)[0]
    }
    expect(await starts(user('a', { kind: 'plugin', plugin: 'x' }), user('b'))).toBe('turn 1 by user')
    expect(await starts(user('a', { kind: 'goal', round: 1 }))).toBe('turn 1 by goal')
    expect(await starts(user('a', { kind: 'plugin', plugin: 'x' }))).toBe('turn 1 by x')
    expect(await starts()).toBe('turn 1 by unrecorded')
  })

  it('puts what has no place behind the events, so that their numbers hold', async () => {
    const { session } = await read(
      lines(
        { ...header, cwd: '{{cwd}}', origin: 'subagent', agentPreset: 'x', delegationDepth: 2, parentSession: 'p' },
        event('turn/start', { turn: 1, trigger: { kind: 'retry' } }, { ignorable: true }),
        event('turn/end', { turn: 1, reason: { kind: 'aborted', reason: { kind: 'user' } } }),
        event('x/y', { z: 1 }),
      ),
    )
    expect(session.header).toEqual({ version: 1, id: 's', createdAt: 5, parentSession: 'p', delegationDepth: 2 })
    expect(brief(session)).toEqual([
      'turn 1 by retry',
      'turn 1 ends aborted',
      'x/y',
      'rest session {"cwd":"{{cwd}}","origin":"subagent","agentPreset":"x"}',
      'rest turn/start {"ignorable":true}',
      'note aborted: user',
    ])
  })

  it('keeps in its place what a log of today refuses', async () => {
    const { session } = await read(
      lines(
        header,
        event('request/header', { header: { config: { model: 'fake' } }, reason: 'initial' }),
        event('request/header-delta', { x: 1 }),
        event('request/context', { provider: 'p', model: 'm' }),
        event('x/y', {}, { surfaceOp: 'append' }),
        { type: 'text-chunks', data: { turn: 1, step: 1, index: 0, dt: [], texts: ['a', 'b'] } },
        user('a'),
      ),
    )
    expect(brief(session).map(line => line.split(' {')[0])).toEqual([
      'record request/header',
      'record request/header-delta',
      'record request/context',
      'record x/y',
      'record text-chunks',
      'user: a',
    ])
  })

  it('reads context and steering of the early document as the model saw them', async () => {
    const { session } = await read(
      lines(
        header,
        event(
          'context/message',
          { content: [text('a')], source: { kind: 'plugin', plugin: 'w' } },
          { surfaceOp: 'append' },
        ),
        event('steering/message', { turn: 1, content: [text('b')], source: { kind: 'user' } }, { surfaceOp: 'append' }),
      ),
    )
    expect(seen(session)).toEqual([
      'w: <context source="w">a</context>',
      'steering: <context source="user">b</context>',
    ])
  })

  it('closes a turn that the log leaves open', async () => {
    const { session } = await read(
      lines(header, event('turn/start', { turn: 1, trigger: { kind: 'retry' } }), user('a')),
    )
    expect(course(session).at(-1)).toBe('turn 1 ends interrupted')
  })

  it('says where numbers are missing, and keeps lines that come again', async () => {
    const { session } = await read(
      lines(
        header,
        { ...user('a'), seq: 0, time: 5 },
        { ...user('a'), seq: 0, time: 5 },
        { ...user('b'), seq: 4, time: 6 },
      ),
    )
    expect(brief(session)).toEqual([
      'user: a',
      'user: b',
      expect.stringMatching(/^record user\/message .*"seq":0/),
      'note gap: The events 1 to 3 are missing.',
    ])
  })

  it('takes the inherited part of a fork for what it is, as far as it is there', async () => {
    const fork = (seedLength: number) =>
      read(lines({ ...header, parentSession: 'p', seedLength }, user('a'), user('b')))
    expect((await fork(2)).session.header.seedLength).toBe(2)
    expect((await fork(3)).session.header.seedLength).toBeUndefined()
  })

  it('keeps a second header, and lines that are no events', async () => {
    const { session } = await read(
      lines(header, user('a'), { ...header, id: 'other' }, { type: 'bare', data: 1 }, { x: 1 }),
    )
    expect(brief(session).map(line => line.split(' {')[0])).toEqual([
      'user: a',
      'record bare',
      'record record',
      'record session',
    ])
  })
})
