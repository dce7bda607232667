import { describe, expect, it } from 'vitest'
import { type RedactionPoint, Redactor } from '../../src/export/redact.js'
import { message } from '../support/sessions.js'

const point: RedactionPoint = { kind: 'free' }
const hide = new Redactor(text => text.replaceAll('secret', '***'))

describe('Redactor', () => {
  it('leaves everything the same object without a hook', () => {
    const idle = new Redactor(undefined)
    const value = { a: ['x'] }
    const said = message('user', 'a')
    expect([idle.value(value, point), idle.message(said), idle.text('x', point)]).toEqual([value, said, 'x'])
    expect(idle.message(said)).toBe(said)
  })

  it('shows the strings of JSON text as they read, and keeps text that does not change as it was written', () => {
    expect(hide.json('{ "a": "\\u0073ecret" }', point)).toBe('{"a":"***"}')
    expect(hide.json('{ "a":  1 }', point)).toBe('{ "a":  1 }')
    expect(hide.json('not json: secret', point)).toBe('not json: ***')
  })

  it('shows keys too', () => {
    expect(hide.value({ '/home/secret': { list: ['secret', 1, null] } }, point)).toEqual({
      '/home/***': { list: ['***', 1, null] },
    })
  })

  it('shows what plugins and adapters have put into sources, but not what tells sources apart', () => {
    const source = { kind: 'plugin', plugin: 'secret', sections: [{ text: 'secret' }] }
    const said = { ...message('user', 'a', source), envelope: { label: 'secret' } }
    expect(hide.message(said)).toMatchObject({
      source: { kind: 'plugin', plugin: 'secret', sections: [{ text: '***' }] },
      envelope: { label: '***' },
    })
    const model = { kind: 'model', provider: 'p', model: 'm', replayState: { text: 'secret' } }
    expect(hide.message(message('assistant', 'a', model)).source).toMatchObject({ replayState: { text: '***' } })
  })

  it('tells the hook what a text is, and passes images over', () => {
    const seen: unknown[] = []
    const watch = new Redactor((text, at) => {
      seen.push([text, at.kind, at.seq])
      return text
    })
    const blocks = [
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: 'b' },
      { type: 'tool-call', id: 'c', name: 'n', arguments: '"d"' },
      { type: 'tool-result', toolCallId: 'c', content: [{ type: 'text', text: 'e' }] },
      { type: 'image', mediaType: 'image/png', data: 'AA' },
      { type: 'image', mediaType: 'image/png', ref: 'f' },
      { type: 'novel', x: 'g' },
    ]
    expect(watch.content(blocks as never, 'prompt', 7)).toEqual(blocks)
    expect(seen).toEqual([
      ['a', 'prompt', 7],
      ['b', 'reasoning', 7],
      ['d', 'arguments', 7],
      ['e', 'result', 7],
      ['f', 'prompt', 7],
      ['x', 'free', 7],
      ['g', 'free', 7],
    ])
  })
})
