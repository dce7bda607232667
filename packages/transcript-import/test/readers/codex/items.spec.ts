import { describe, expect, it } from 'vitest'
import { Fields } from '../../../src/fields.js'
import { answeredCall, readItem } from '../../../src/readers/codex/items.js'

const read = (item: object) => readItem(new Fields(item as never), 'id')
const texts = (...values: string[]) => values.map(value => ({ type: 'input_text', text: value }))

describe('readItem', () => {
  it('tells prompts from what Codex puts into the history', () => {
    const message = (role: string, ...values: string[]) => read({ type: 'message', role, content: texts(...values) })
    expect(message('user', 'hello')).toMatchObject({ type: 'user', isInjected: false })
    for (const text of [
      '<environment_context>x',
      '# AGENTS.md instructions for /w',
      ' <user_instructions>',
      '<turn_aborted>',
    ]) {
      expect(message('user', text)).toMatchObject({ isInjected: true })
    }
    expect(message('developer', 'rules')).toMatchObject({ type: 'user', isInjected: true })
    expect(message('assistant', 'done')).toEqual({ type: 'piece', content: [{ type: 'text', text: 'done' }] })
  })

  it('reads reasoning, from its summary and from its text', () => {
    expect(
      read({
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'a' }],
        content: [{ text: 'b' }],
        encrypted_content: 'x',
      }),
    ).toEqual({
      type: 'piece',
      content: [
        { type: 'reasoning', text: 'a' },
        { type: 'reasoning', text: 'b' },
      ],
    })
  })

  it('reads calls of all kinds, with JSON for arguments', () => {
    const call = (item: object) => read(item)?.content[0]
    const made = (id: string, name: string, args: string) => ({ type: 'tool-call', id, name, arguments: args })
    expect(call({ type: 'function_call', call_id: '1', name: 'a', arguments: '{ }' })).toEqual(made('1', 'a', '{ }'))
    expect(call({ type: 'function_call', id: 'i', name: 'a', arguments: null })).toEqual(made('i', 'a', '{}'))
    expect(call({ type: 'custom_tool_call', call_id: '1', name: 'a', input: 'x"y' })).toEqual(
      made('1', 'a', '{"input":"x\\"y"}'),
    )
    expect(call({ type: 'local_shell_call', call_id: '1', action: { command: ['ls'] } })).toEqual(
      made('1', 'local_shell', '{"command":["ls"]}'),
    )
    expect(call({ type: 'tool_search_call', arguments: { q: 1 } })).toEqual(made('id', 'tool_search', '{"q":1}'))
  })

  it('reads results of all forms', () => {
    const content = (output: unknown) => read({ type: 'function_call_output', call_id: '1', output })
    const text = (value: string) => ({ type: 'text', text: value })
    expect(content('a')).toMatchObject({ type: 'result', callId: '1', content: [text('a')], isError: undefined })
    expect(content({ content: 'a', success: false })).toMatchObject({ content: [text('a')], isError: true })
    expect(content({ content: 'a', success: true })).toMatchObject({ isError: false })
    expect(content({ text: 'a' })).toMatchObject({ content: [text('a')], isError: undefined })
    expect(content({ other: 'a' })).toMatchObject({ content: [text('{"other":"a"}')] })
    expect(
      content([...texts('a'), { type: 'input_image', image_url: 'data:image/png;base64,AA' }, { x: 1 }]),
    ).toMatchObject({
      content: [text('a'), { type: 'image', mediaType: 'image/png', data: 'AA' }, text('{"x":1}')],
    })
    expect(content(null)).toMatchObject({ content: [] })
    expect(content(5)).toMatchObject({ content: [text('5')] })
  })

  it('leaves what a result says beside its text', () => {
    const rest = (output: unknown) => {
      const item = new Fields({ type: 'function_call_output', call_id: '1', output } as never)
      readItem(item, 'id')
      return item.rest()
    }
    expect(rest({ content: 'a', success: true, wall_time: 5 })).toMatchObject({ output: { wall_time: 5 } })
    expect(rest([{ type: 'input_image', image_url: 'u', detail: 'high' }, { x: 1 }])).toMatchObject({
      output: { 0: { detail: 'high' } },
    })
  })

  it('has nothing for what ran at the provider, and for snapshots', () => {
    for (const type of ['web_search_call', 'image_generation_call', 'ghost_snapshot', 'compaction', undefined]) {
      expect(read({ type, id: 'x' })).toBeUndefined()
    }
    expect(read({ type: 'function_call_output', output: 'a' })).toBeUndefined()
    expect(read({ type: 'message', role: 'user', content: [{ type: 'input_image', image_url: null }] })).toBeUndefined()
  })
})

describe('answeredCall', () => {
  it('is the call of an output', () => {
    expect(answeredCall({ type: 'custom_tool_call_output', call_id: '1' })).toBe('1')
    expect(answeredCall({ type: 'function_call', call_id: '1' })).toBeUndefined()
  })
})
