import { describe, expect, it } from 'vitest'
import { brief, course, seen } from '../../support/brief.js'
import { lines, read } from '../../support/read.js'
import { pi, samples } from '../../support/samples.js'

const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/w' }
const entry = (type: string, id: string, parentId: string | null, more: object) => ({
  type,
  id,
  parentId,
  timestamp: '2026-01-01T00:00:30Z',
  ...more,
})
const text = (value: string) => ({ type: 'text', text: value })
const call = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: { p: 1 } })
const user = (id: string, parent: string | null, content: unknown) => pi(id, parent, { role: 'user', content })
const says = (id: string, parent: string, content: unknown[], more: object = {}) =>
  pi(id, parent, { role: 'assistant', provider: 'p', model: 'm', content, ...more })
const result = (id: string, parent: string, callId: string, more: object = {}) =>
  pi(id, parent, {
    role: 'toolResult',
    toolCallId: callId,
    toolName: 'read',
    content: [text(callId)],
    isError: false,
    ...more,
  })

describe('the pi reader', () => {
  it('reads a session', async () => {
    const { session, report } = await read(samples.pi)
    expect(report.format).toBe('pi')
    expect(session.header).toMatchObject({ id: 's', cwd: '/w', createdAt: Date.UTC(2026, 0, 1) })
    expect(course(session)).toEqual([
      'turn 1 by user',
      'user: hello',
      'step 1.1',
      'answer: read#t1 {"p":1}',
      'call t1',
      'result t1: ok',
      'step 1.1 ends',
      'step 1.2',
      'answer: done',
      'step 1.2 ends',
      'turn 1 ends completed',
    ])
    expect([...session].find(({ type }) => type === 'assistant/message')?.data).toMatchObject({
      usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
    })
  })

  it('ends a turn as its last answer was stopped', async () => {
    const { session } = await read(
      lines(
        header,
        user('u1', null, 'a'),
        says('a1', 'u1', [call('1')], { stopReason: 'aborted', errorMessage: 'Request was aborted.' }),
        user('u2', 'a1', 'b'),
        says('a2', 'u2', [], { stopReason: 'error', errorMessage: '429' }),
        user('u3', 'a2', 'c'),
        says('a3', 'u3', [text('cut')], { stopReason: 'length' }),
      ),
    )
    expect(course(session).filter(line => /^(turn|error|call|note|answer)/.test(line))).toEqual([
      'turn 1 by user',
      'answer: read#1 {"p":1}',
      'error 1 TOOL_NOT_STARTED: Interrupted: the answer was cut off before this tool was started.',
      'turn 1 ends aborted',
      'note aborted: Request was aborted.',
      'turn 2 by user',
      'answer: ',
      'turn 2 ends error 1 429',
      'turn 3 by user',
      'answer: cut',
      'turn 3 ends max-tokens',
    ])
  })

  it('starts a step when its request was made, and keeps the details of a result', async () => {
    const { session } = await read(
      lines(
        header,
        says('a1', 'none', [call('1')], { timestamp: 1_600_000_000_123 }),
        result('r1', 'a1', '1', { isError: true, details: { code: 1 } }),
      ),
    )
    expect([...session].find(({ type }) => type === 'step/start')?.time).toBe(1_600_000_000_123)
    expect([...session].find(({ type }) => type === 'tool/result')?.data).toMatchObject({ meta: { code: 1 } })
    expect(course(session)).toContain('error 1: 1')
  })

  it('records changes of model and thinking, and keeps those that no request followed', async () => {
    const { session } = await read(
      lines(
        {
          type: 'session',
          id: 's',
          timestamp: '2026-01-01T00:00:00Z',
          provider: 'p',
          modelId: 'm',
          thinkingLevel: 'off',
        },
        entry('model_change', 'm1', null, { provider: 'p', modelId: 'x' }),
        entry('model_change', 'm2', 'm1', { provider: 'p', modelId: 'y' }),
        user('u', 'm2', 'a'),
        says('a', 'u', [text('b')]),
        entry('thinking_level_change', 't', 'a', { thinkingLevel: 'high' }),
        user('v', 't', 'c'),
        says('b', 'v', [text('d')]),
      ),
    )
    expect(course(session).filter(line => line.startsWith('header'))).toEqual([
      'header initial p y',
      'header change p y',
    ])
    expect(session.requestHeader()?.config.reasoningEffort).toBe('high')
    expect(brief(session).filter(line => line.startsWith('record model_change'))).toHaveLength(2)
  })

  it('puts what is not a prompt into the history as context', async () => {
    const { session } = await read(
      lines(
        header,
        pi('b', null, { role: 'bashExecution', command: 'ls', output: 'x', exitCode: 0 }),
        pi('n', 'b', { role: 'bashExecution', command: 'true', output: '', exitCode: 0 }),
        pi('h', 'n', { role: 'bashExecution', command: 'secret', output: 'x', excludeFromContext: true }),
        pi('c', 'h', { role: 'custom', customType: 'ext', content: 'extension' }),
        entry('branch_summary', 's', 'c', { summary: 'explored', fromId: 'b' }),
        entry('custom_message', 'm', 's', { customType: 'inj', content: [text('injected')] }),
        entry('label', 'l', 'm', { targetId: 'c', label: 'x' }),
        user('u', 'l', [text('a'), { type: 'image', data: 'AA', mimeType: 'image/png' }]),
      ),
    )
    expect(seen(session)).toEqual([
      'pi: Ran `ls`\n```\nx\n```',
      'pi: Ran `true`\n(no output)',
      'ext: extension',
      'pi: explored',
      'inj: injected',
      'user: a | <image/png AA>',
    ])
    expect(
      brief(session)
        .filter(line => line.startsWith('record'))
        .map(line => line.split(' ')[1]),
    ).toEqual(['message/bashExecution', 'label'])
  })

  it('replaces what a compaction does not keep, named by id', async () => {
    const { session } = await read(
      lines(
        header,
        user('u1', null, 'a'),
        says('a1', 'u1', [text('b')]),
        entry('label', 'l', 'a1', { targetId: 'a1', label: 'here' }),
        user('u2', 'l', 'c'),
        entry('compaction', 'c1', 'u2', { summary: 'sum', firstKeptEntryId: 'l', tokensBefore: 9 }),
        user('u3', 'c1', 'd'),
        entry('compaction', 'c2', 'u3', { summary: 'sum 2', firstKeptEntryId: 'u3' }),
      ),
    )
    expect(seen(session)).toEqual(['pi: sum 2', 'user: d'])
    expect(brief(session)).toContain('pi: sum [for 2-4]')
    expect(brief(session)).toContain('rest compaction {"tokensBefore":9}')
  })

  it('replaces what a compaction does not keep, counted from the header in version 1', async () => {
    const bare = (message: object) => ({ type: 'message', timestamp: '2026-01-01T00:00:01Z', message })
    const compaction = (firstKeptEntryIndex: number) => ({
      type: 'compaction',
      timestamp: '2026-01-01T00:00:02Z',
      summary: 'sum',
      firstKeptEntryIndex,
    })
    const session = async (index: number) =>
      (
        await read(
          lines(
            { type: 'session', id: 's', timestamp: '2026-01-01T00:00:00Z' },
            bare({ role: 'user', content: 'a' }),
            bare({ role: 'assistant', provider: 'p', model: 'm', content: [text('b')] }),
            bare({ role: 'user', content: 'c' }),
            compaction(index),
          ),
        )
      ).session
    expect(seen(await session(3))).toEqual(['pi: sum', 'user: c'])
    expect(seen(await session(1))).toEqual(['user: a', 'model: b', 'user: c', 'pi: sum'])
  })

  it('keeps what it does not know', async () => {
    const { session } = await read(
      lines(header, entry('novel', 'n', null, { x: 1 }), pi('m', 'n', { role: 'novel' }), user('u', 'm', [])),
    )
    expect(brief(session).map(line => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'rest session',
      'record novel',
      'record message/novel',
      'record message/user',
    ])
  })
})
