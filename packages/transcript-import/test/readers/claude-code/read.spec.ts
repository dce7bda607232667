import { describe, expect, it } from 'vitest'
import { brief, course } from '../../support/brief.js'
import { lines, read } from '../../support/read.js'
import { claude, claudeMessage, samples } from '../../support/samples.js'

const text = (value: string) => ({ type: 'text', text: value })
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })
const result = (id: string, content: unknown = id) => ({ type: 'tool_result', tool_use_id: id, content })
const user = (id: string, parent: string | null, content: unknown, more: object = {}) =>
  claude('user', id, parent, { role: 'user', content }, more)
const assistant = (id: string, parent: string | null, message: string, ...content: unknown[]) =>
  claude('assistant', id, parent, claudeMessage(message, ...content))

describe('the Claude Code reader', () => {
  it('reads an answer that was written block by block, and keeps what has no counterpart', async () => {
    const { session, report } = await read(samples['claude-code'])
    expect(report.format).toBe('claude-code')
    expect(session.header).toMatchObject({ id: 's', cwd: '/w' })
    expect(brief(session)).toEqual([
      'record summary {"type":"summary","summary":"Title","leafUuid":"x"}',
      'turn 1 by user',
      'user: hello',
      'rest user {"sessionId":"s","cwd":"/w","version":"2"}',
      expect.stringMatching(/^rest assistant .*"signature":"sig"/),
      'step 1.1',
      'answer: (hm) | Read#t1 {"p":1}',
      'call t1',
      'result t1: ok',
      'step 1.1 ends',
      'step 1.2',
      'answer: done',
      'step 1.2 ends',
      expect.stringMatching(/^rest assistant .*"id":"m2"/),
      'turn 1 ends completed',
    ])
  })

  it('counts the usage of an answer once, as its last line tells it', async () => {
    const usage = (output: number) => ({
      usage: { input_tokens: 1, output_tokens: output, cache_read_input_tokens: 3 },
    })
    const { session } = await read(
      lines(
        user('u', null, 'a'),
        claude('assistant', 'a1', 'u', { ...claudeMessage('m', text('b')), ...usage(1) }),
        claude('assistant', 'a2', 'a1', { ...claudeMessage('m', use('1')), ...usage(40) }),
        user('r', 'a2', [result('1')]),
      ),
    )
    const answers = [...session].filter(event => event.type === 'assistant/message')
    expect(answers.map(({ data }) => data.usage)).toEqual([{ inputTokens: 1, outputTokens: 40, cacheReadTokens: 3 }])
  })

  it('puts the blocks of one answer together although its results stand between them', async () => {
    const { session } = await read(
      lines(
        user('u', null, 'a'),
        assistant('a1', 'u', 'm', use('1')),
        user('r1', 'a1', [result('1')]),
        assistant('a2', 'r1', 'm', use('2')),
        user('r2', 'a2', [result('2')]),
        assistant('a3', 'r2', 'n', text('b')),
      ),
    )
    expect(course(session).slice(2, 9)).toEqual([
      'step 1.1',
      'answer: Read#1 {} | Read#2 {}',
      'call 1',
      'call 2',
      'result 1: 1',
      'result 2: 2',
      'step 1.1 ends',
    ])
  })

  it('takes parallel results, each on its own line of the answer, for one history', async () => {
    const { session, sessions } = await read(
      lines(
        user('u', null, 'a'),
        assistant('a1', 'u', 'm', use('1')),
        assistant('a2', 'a1', 'm', use('2')),
        user('r1', 'a1', [result('1')]),
        user('r2', 'a2', [result('2', [text('two')])], { toolUseResult: { lines: 2 } }),
        assistant('a3', 'r2', 'n', text('b')),
      ),
    )
    expect(sessions).toHaveLength(1)
    expect(course(session).filter(line => line.startsWith('result'))).toEqual(['result 1: 1', 'result 2: two'])
    expect([...session].filter(event => event.type === 'tool/result').map(({ data }) => data.meta)).toEqual([
      undefined,
      { lines: 2 },
    ])
  })

  it('tells what a person typed from what the tool wrote', async () => {
    const { session } = await read(
      lines(
        user('c', null, 'caveat', { isMeta: true }),
        user('n', 'c', '<command-name>/ide</command-name><command-args></command-args>'),
        user('o', 'n', '<local-command-stdout>ok</local-command-stdout>'),
        user('i', 'o', '<command-name>/init</command-name><command-args>now</command-args>'),
        assistant('a', 'i', 'm', use('1')),
        user('r', 'a', [result('1'), text('wait')]),
        user('v', 'r', 'shown only', { isVisibleInTranscriptOnly: true }),
        assistant('b', 'v', 'n', text('b')),
      ),
    )
    expect(course(session).filter(line => /^(claude-code|user|steer|turn)/.test(line))).toEqual([
      'claude-code: caveat',
      'turn 1 by claude-code',
      'claude-code: <command-name>/ide</command-name><command-args></command-args>',
      'claude-code: <local-command-stdout>ok</local-command-stdout>',
      'user: <command-name>/init</command-name><command-args>now</command-args>',
      'steer user: wait',
      'turn 1 ends completed',
    ])
    expect(brief(session)).toContainEqual(expect.stringMatching(/^record user .*shown only/))
  })

  it('ends a turn that a person interrupted, and says so', async () => {
    const { session } = await read(
      lines(
        user('u', null, 'a'),
        assistant('a', 'u', 'm', use('1')),
        user('i', 'a', [text('[Request interrupted by user for tool use]')]),
        user('v', 'i', 'b'),
      ),
    )
    expect(course(session).slice(4)).toEqual([
      'call 1',
      expect.stringMatching(/^error 1 TOOL_OUTCOME_UNKNOWN/),
      'step 1.1 ends',
      'claude-code: [Request interrupted by user for tool use]',
      'turn 1 ends aborted',
      'note aborted: [Request interrupted by user for tool use]',
      'turn 2 by user',
      'user: b',
      'turn 2 ends interrupted',
    ])
  })

  it('ends a turn whose request failed', async () => {
    const { session } = await read(
      lines(
        user('u', null, 'a'),
        claude('assistant', 'e', 'u', claudeMessage('m', text('API Error: 529')), { isApiErrorMessage: true }),
        assistant('a', 'e', 'n', text('b')),
      ),
    )
    expect(course(session)).toEqual([
      'turn 1 by user',
      'user: a',
      'turn 1 ends error 0 API Error: 529',
      'turn 2 by unrecorded',
      'step 2.1',
      'answer: b',
      'step 2.1 ends',
      'turn 2 ends completed',
    ])
  })

  it('replaces what the model saw by the summary of a compaction', async () => {
    const { session } = await read(
      lines(
        user('u', null, 'a'),
        assistant('a', 'u', 'm', text('b')),
        { ...claude('system', 'c', null, undefined), subtype: 'compact_boundary', logicalParentUuid: 'a' },
        user('s', 'c', 'summary', { isCompactSummary: true }),
        assistant('b', 's', 'n', text('c')),
      ),
    )
    expect(course(session)).toContain('claude-code: summary [for 1-4]')
    expect(session.deriveMessages()).toHaveLength(2)
  })

  it('keeps a record that repeats the id of another', async () => {
    const { session } = await read(lines(user('u', null, 'a'), user('u', null, 'a')))
    expect(brief(session).filter(line => line.startsWith('record'))).toHaveLength(1)
    expect(session.deriveMessages()).toHaveLength(1)
  })
})
