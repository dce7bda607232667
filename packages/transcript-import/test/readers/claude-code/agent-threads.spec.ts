import { describe, expect, it } from 'vitest'
import { AgentThreads } from '../../../src/readers/claude-code/agent-threads.js'

const progress = (data: object, parentToolUseID = 't1') => ({ type: 'progress', parentToolUseID, data }) as never

describe('AgentThreads', () => {
  it('tells the messages of sub-agents from other reports, and the agents from each other', () => {
    const threads = new AgentThreads()
    const message = { message: { role: 'user' } }
    expect(threads.take(0, progress({ type: 'hook_progress' }), 1)).toBe(false)
    expect(threads.take(1, progress({ type: 'agent_progress' }), 1)).toBe(false)
    expect(threads.take(2, progress({ type: 'agent_progress', agentId: 'a', message }), undefined)).toBe(true)
    expect(threads.take(3, progress({ type: 'agent_progress', agentId: 'a', message }), 7)).toBe(true)
    expect(threads.take(4, progress({ type: 'agent_progress', message }, 't2'), 8)).toBe(true)
    expect([1, 2, 4].map(ordinal => threads.has(ordinal))).toEqual([false, true, true])
    const [first, second] = threads.plans(1, () => ({ take() {}, settle() {}, kind: () => '' }))
    expect(first).toMatchObject({ key: 'agent-2', role: 'subagent', sourceId: 'a', delegatedBy: 'main', startTime: 7 })
    expect(second).toMatchObject({ key: 'agent-3', sourceId: undefined, startTime: 8 })
    const includes = [2, 3, 4].map(ordinal => first!.includes({ ordinal, position: {}, value: {} }))
    expect(includes).toEqual([true, true, false])
  })
})
