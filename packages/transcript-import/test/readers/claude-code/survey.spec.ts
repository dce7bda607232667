import { describe, expect, it } from 'vitest'
import { course, seen } from '../../support/brief.js'
import { lines, read } from '../../support/read.js'
import { claude, claudeMessage } from '../../support/samples.js'

const text = (value: string) => ({ type: 'text', text: value })
const user = (id: string, parent: string | null, content: unknown, more: object = {}) =>
  claude('user', id, parent, { role: 'user', content }, more)
const says = (id: string, parent: string | null, what: string, more: object = {}) =>
  claude('assistant', id, parent, claudeMessage(`m-${id}`, text(what)), more)

describe('the branches of a Claude Code file', () => {
  const trunk = [user('u1', null, 'one'), says('a1', 'u1', 'first')]
  const left = [user('u2', 'a1', 'left'), says('a2', 'u2', 'left done')]
  const right = [user('u3', 'a1', 'right'), says('a3', 'u3', 'right done')]

  it('become sessions, the live one first, forked where the turn ended that they share', async () => {
    const { sessions, report } = await read(lines(...trunk, ...left, ...right))
    expect(sessions.map(({ id }) => id)).toEqual(['s', 's/branch-1'])
    expect(sessions.map(seen)).toEqual([
      ['user: one', 'model: first', 'user: right', 'model: right done'],
      ['user: one', 'model: first', 'user: left', 'model: left done'],
    ])
    const { parentSession, seedLength } = sessions[1]!.header
    expect(parentSession).toBe('s')
    expect(sessions[1]!.events.slice(0, seedLength)).toEqual(sessions[0]!.events.slice(0, seedLength))
    expect(course(sessions[1]!.at(seedLength!)).at(-1)).toBe('turn 1 ends completed')
    expect(report.sessions.map(({ role, inherited }) => [role, inherited])).toEqual([
      ['live', 0],
      ['branch', seedLength],
    ])
  })

  it('each hold what a file of that branch alone would give', async () => {
    const { sessions } = await read(lines(...trunk, ...left, ...right))
    const alone = [await read(lines(...trunk, ...right)), await read(lines(...trunk, ...left))]
    expect(sessions.map(course)).toEqual(alone.map(({ session }) => course(session)))
  })

  it('add again what they share of a turn that had not ended', async () => {
    const { sessions } = await read(
      lines(user('u1', null, 'one'), says('a1', 'u1', 'wrong'), says('a2', 'u1', 'right'), says('a3', 'a2', 'more')),
    )
    expect(sessions.map(seen)).toEqual([
      ['user: one', 'model: right', 'model: more'],
      ['user: one', 'model: wrong'],
    ])
    expect(sessions[1]!.header).toMatchObject({ parentSession: 's' })
    expect(sessions[1]!.header.seedLength).toBeUndefined()
  })

  it('can begin anew from the first prompt', async () => {
    const { sessions } = await read(lines(...trunk, user('u9', null, 'other'), says('a9', 'u9', 'else')))
    expect(sessions.map(seen)).toEqual([
      ['user: other', 'model: else'],
      ['user: one', 'model: first'],
    ])
  })

  it('do not come of a parent that lies outside the file', async () => {
    const { sessions } = await read(lines(...trunk, user('u2', 'gone', 'two'), says('a2', 'u2', 'second')))
    expect(sessions.map(seen)).toEqual([['user: one', 'model: first', 'user: two', 'model: second']])
  })

  it('do not come of records that only report', async () => {
    const report = { ...claude('progress', 'p1', 'a1', undefined), data: { type: 'hook_progress' } }
    const { sessions } = await read(lines(...trunk, report, user('u2', 'a1', 'two')))
    expect(sessions).toHaveLength(1)
    expect(sessions[0]!.events.filter(({ type }) => type === 'import/record')).not.toHaveLength(0)
  })
})

describe('the sub-agents of a Claude Code file', () => {
  const task = (prompt: string) => ({ type: 'tool_use', id: 't1', name: 'Task', input: { prompt } })
  const caller = [user('u', null, 'go'), claude('assistant', 'a', 'u', claudeMessage('m', task('look')))]

  it('become sessions of their own when they stand beside the conversation', async () => {
    const { sessions } = await read(
      lines(
        ...caller,
        user('s1', null, 'look', { isSidechain: true }),
        says('s2', 's1', 'found', { isSidechain: true }),
        user('r', 'a', [{ type: 'tool_result', tool_use_id: 't1', content: 'found' }]),
      ),
    )
    expect(sessions.map(({ header }) => header)).toMatchObject([
      { id: 's' },
      { id: 's/agent-1', parentSession: 's', delegationDepth: 1 },
    ])
    expect(course(sessions[1]!)).toEqual([
      'note delegation: Delegated by the call t1.',
      'turn 1 by claude-code',
      'claude-code: look',
      'step 1.1',
      'answer: found',
      'step 1.1 ends',
      'turn 1 ends completed',
    ])
    expect(seen(sessions[0]!)).toEqual(['user: go', 'model: Task#t1 {"prompt":"look"}', 'tool: result#t1 found'])
  })

  it('become sessions of their own when their messages are wrapped in reports', async () => {
    const wrapped = (id: string, parent: string, message: object) => ({
      ...claude('progress', id, parent, undefined),
      parentToolUseID: 't1',
      data: { type: 'agent_progress', agentId: 'ag', message },
    })
    const { sessions, report } = await read(
      lines(
        ...caller,
        wrapped('p1', 'a', user('q1', null, [text('look')])),
        wrapped('p2', 'p1', says('q2', null, 'found')),
        user('r', 'a', [{ type: 'tool_result', tool_use_id: 't1', content: 'found' }]),
      ),
    )
    expect(sessions.map(({ header }) => header)).toMatchObject([
      { id: 's' },
      { id: 'ag', parentSession: 's', delegationDepth: 1 },
    ])
    expect(seen(sessions[1]!)).toEqual(['claude-code: look', 'model: found'])
    expect(report.kinds['progress/agent_progress']).toMatchObject({ records: 2, kept: 0 })
  })

  it('have files of their own, whose session is the parent', async () => {
    const more = { isSidechain: true, agentId: 'ag' }
    const { session, sessions } = await read(lines(user('s1', null, 'look', more), says('s2', 's1', 'found', more)))
    expect(sessions).toHaveLength(1)
    expect(session.header).toMatchObject({ id: 'ag', parentSession: 's', delegationDepth: 1 })
    expect(seen(session)).toEqual(['claude-code: look', 'model: found'])
  })
})
