import { describe, expect, it } from 'vitest'
import { brief, course } from '../../support/brief.js'
import { read } from '../../support/read.js'
import { samples } from '../../support/samples.js'

const trajectory = (history: object[], more: object = {}) => read(JSON.stringify({ history, ...more }))

describe('the SWE-agent reader', () => {
  it('reads a trajectory with tool calls as one turn', async () => {
    const { session, report } = await read(samples['swe-agent'])
    expect(report.format).toBe('swe-agent')
    expect(course(session)).toEqual([
      'turn 1 by user',
      'user: hello',
      'step 1.1',
      'header initial unknown unknown "rules"',
      'answer: hm | bash#t1 {"p":1}',
      'call t1',
      'result t1: ok',
      'step 1.1 ends',
      'turn 1 ends completed',
    ])
  })

  it('reads one of the text form, in which the environment speaks as the user', async () => {
    const { session } = await trajectory(
      [
        { role: 'system', content: 'rules' },
        { role: 'user', content: 'demo', is_demo: true },
        { role: 'user', content: 'task', agent: 'main' },
        { role: 'assistant', content: 'think\n```\nls\n```', thought: 'think\n', action: 'ls\n' },
        { role: 'user', content: 'output' },
        { role: 'assistant', content: 'done', thought: 'something else' },
      ],
      { info: { exit_status: 'exit_cost' }, trajectory: [{ action: 'ls', observation: 'output' }] },
    )
    expect(brief(session)).toEqual([
      'record document {"info":{"exit_status":"exit_cost"}}',
      'swe-agent: demo',
      'rest user {"is_demo":true}',
      'turn 1 by user',
      'user: task',
      'rest user {"agent":"main"}',
      'step 1.1',
      'header initial unknown unknown "rules"',
      'answer: think\n```\nls\n```',
      'step 1.1 ends',
      'swe-agent: output',
      'step 1.2',
      'answer: done',
      'step 1.2 ends',
      'rest assistant {"thought":"something else"}',
      'record trajectory {"action":"ls","observation":"output"}',
      'turn 1 ends error 2 exit_cost',
    ])
  })

  it('takes a submission for the end of the task where nothing else tells', async () => {
    const call = { id: '1', type: 'function', function: { name: 'submit', arguments: '{}' } }
    const { session } = await trajectory([
      { role: 'user', content: 'task' },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', content: 'diff', tool_call_id: '1' },
      { role: 'tool', content: 'lost' },
    ])
    expect(course(session).at(-1)).toBe('turn 1 ends completed')
    expect(brief(session)).toContain('record tool {"role":"tool","content":"lost"}')
  })

  it('reads the messages of mini-swe-agent', async () => {
    const { session, report } = await read(
      JSON.stringify({
        trajectory_format: 'mini-1',
        info: {},
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
        ],
      }),
    )
    expect(report.format).toBe('swe-agent')
    expect(session.deriveMessages()).toHaveLength(2)
  })
})
