import { assistantMessage, callId, toolResultMessage, userMessage } from '@dsh/llm'
import { SessionError } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { clip, count, describeError, describeHistory, describeReason } from '../../src/terminal/describe.ts'

describe('clip', () => {
  it('makes one line of a text, and cuts it between characters', () => {
    expect(clip(' a\n\tb\u0000 c ', 10)).toBe('a b c')
    expect(clip('abcdef', 6)).toBe('abcdef')
    expect(clip('abcdefg', 6)).toBe('abcde…')
    expect(clip('😀😀😀', 2)).toBe('😀…')
    expect(clip('abc', -3)).toBe('…')
  })
})

describe('describeError', () => {
  it('shows the code once, and whatever was thrown', () => {
    expect(describeError(new SessionError('OPEN_TURN', { expected: 'a', found: 'b' }))).toBe(
      'OPEN_TURN: expected a, found b',
    )
    expect(describeError({ message: 'Slow down', code: 'HTTP_ERROR' })).toBe('HTTP_ERROR: Slow down')
    expect(describeError(new RangeError('far'))).toBe('far')
    expect(describeError('text')).toBe('text')
    expect(describeError(undefined)).toBe('undefined')
  })
})

describe('describeReason', () => {
  it('says how a turn ended', () => {
    expect(describeReason({ kind: 'completed' })).toBe('completed')
    expect(describeReason({ kind: 'max-tokens' })).toBe('cut at the output limit')
    expect(describeReason({ kind: 'error', step: 1, message: 'no' })).toBe('failed: no')
    expect(describeReason({ kind: 'error', step: 1, failure: { message: 'no', code: 'X' } })).toBe('failed: X: no')
  })
})

describe('describeHistory', () => {
  it('shows a message a line, with who speaks and what is called', () => {
    const messages = [
      userMessage('Go.'),
      assistantMessage(
        [
          { type: 'text', text: 'I\nread.' },
          { type: 'tool-call', id: callId('a'), name: 'read', arguments: '{"path":"x"}' },
        ],
        { provider: 'p', model: 'm' },
      ),
      toolResultMessage(callId('a'), 'content '.repeat(20)),
      userMessage('green', { source: { kind: 'plugin', plugin: 'ci' } }),
    ]
    expect(describeHistory(messages, 50)).toEqual([
      '   1  user        Go.',
      '   2  model       I read. → read{"path":"x"}',
      '   3  tool        content content content content…',
      '   4  ci          green',
    ])
    expect(count(1234567)).toBe('1,234,567')
  })
})
