import { describe, expect, it } from 'vitest'
import { checkPayload } from '../src/validate-payload.js'
import { assistant, result, user } from './support/events.js'
import { expectError } from './support/expect-error.js'

const route = { provider: 'p', model: 'm' }

function without<T extends object>(value: T, key: keyof T): Partial<T> {
  const { [key]: _, ...rest } = value
  return rest as Partial<T>
}

describe('checkPayload', () => {
  it.each<[string, unknown]>([
    ['user/message', user('hi')],
    ['user/message', { ...user('hi'), content: [], source: { kind: 'cron', job: 1 }, extra: true }],
    ['user/message', { ...user('hi'), content: [{ type: 'hologram', cells: [1] }] }],
    ['steering/message', { turn: 1, message: user('hi') }],
    ['assistant/message', { turn: 1, step: 1, message: assistant('', ['c']), usage: {}, later: 1 }],
    ['tool/result', { turn: 1, step: 1, message: result('c', 'x'), meta: [] }],
    ['request/header', { header: { config: route }, reason: 'initial' }],
    ['request/header', { header: { config: route, system: '', tools: [], more: 1 }, reason: 'change' }],
    ['assistant/chunk', { turn: 1, step: 1, chunk: { type: 'sparkle' } }],
    ['assistant/chunk', null],
    ['turn/start', { turn: 1 }],
    ['todo/write', {}],
    ['stranger/fact', 5],
  ])('accepts %s %j', (type, data) => {
    expect(() => checkPayload(type, data, 0)).not.toThrow()
  })

  const message = assistant('a')
  it.each<[string, unknown, string]>([
    ['user/message', 'text', 'data'],
    ['user/message', [], 'data'],
    ['user/message', { ...user('a'), id: '' }, 'data.id'],
    ['user/message', without(user('a'), 'id'), 'data.id'],
    ['user/message', { ...user('a'), role: 'assistant' }, 'data.role'],
    ['user/message', without(user('a'), 'source'), 'data.source'],
    ['user/message', { ...user('a'), source: { kind: '' } }, 'data.source.kind'],
    ['user/message', { ...user('a'), content: 'text' }, 'data.content'],
    ['user/message', { ...user('a'), content: [null] }, 'data.content[0]'],
    ['user/message', { ...user('a'), content: [{}] }, 'data.content[0].type'],
    ['user/message', { ...user('a'), content: [{ type: 'text' }] }, 'data.content[0].text'],
    ['user/message', { ...user('a'), content: [{ type: 'reasoning', text: 1 }] }, 'data.content[0].text'],
    ['user/message', { ...user('a'), content: [{ type: 'tool-call', name: 'n' }] }, 'data.content[0].id'],
    [
      'user/message',
      { ...user('a'), content: [{ type: 'tool-call', id: 'c', name: 'n', arguments: {} }] },
      'data.content[0].arguments',
    ],
    [
      'user/message',
      { ...user('a'), content: [{ type: 'tool-result', toolCallId: 'c', content: [{ type: 'text' }] }] },
      'data.content[0].content[0].text',
    ],
    ['steering/message', {}, 'data.message'],
    ['steering/message', { message: null }, 'data.message'],
    ['assistant/message', { message: { ...message, source: { kind: 'user' } } }, 'data.message.source.kind'],
    ['assistant/message', { message: { ...message, source: { kind: 'model' } } }, 'data.message.source.provider'],
    [
      'assistant/message',
      { message: { ...message, source: { kind: 'model', provider: 'p', model: '' } } },
      'data.message.source.model',
    ],
    ['assistant/message', { message: user('a') }, 'data.message.role'],
    ['tool/result', { message: user('a') }, 'data.message.source.kind'],
    ['tool/result', { message: { ...result('c', 'x'), content: [] } }, 'data.message.content'],
    ['tool/result', { message: { ...result('c', 'x'), source: { kind: 'tool' } } }, 'data.message.source.callId'],
    ['tool/result', { message: { ...result('c', 'x'), content: user('a').content } }, 'data.message.content[0].type'],
    [
      'tool/result',
      { message: { ...result('c', 'x'), source: { kind: 'tool', callId: 'd' } } },
      'data.message.content[0].toolCallId',
    ],
    ['request/header', {}, 'data.header'],
    ['request/header', { header: {}, reason: 'initial' }, 'data.header.config'],
    ['request/header', { header: { config: { model: 'm' } }, reason: 'initial' }, 'data.header.config.provider'],
    ['request/header', { header: { config: { provider: 'p' } }, reason: 'initial' }, 'data.header.config.model'],
    ['request/header', { header: { config: route, system: 1 }, reason: 'initial' }, 'data.header.system'],
    ['request/header', { header: { config: route, tools: {} }, reason: 'initial' }, 'data.header.tools'],
    ['request/header', { header: { config: route }, reason: 'fallback' }, 'data.reason'],
    ['request/header', { header: { config: route } }, 'data.reason'],
  ])('refuses %s %j at %s', (type, data, path) => {
    expect(expectError('INVALID_EVENT', () => checkPayload(type, data, 3))).toMatchObject({ path, seq: 3 })
  })
})
