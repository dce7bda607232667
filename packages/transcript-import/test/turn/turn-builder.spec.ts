import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answer, call, said, stamp, Turns } from '../support/turns.js'

describe('TurnBuilder', () => {
  it('makes a turn of a prompt, its answers and their results', () => {
    const log = new Turns().prompt('go').answer(said('hm'), call('1')).result('1').answer(said('done')).log()
    expect(log).toEqual([
      'turn 1 by user',
      'user: go',
      'step 1.1',
      'answer: hm | read#1 {}',
      'call 1',
      'result 1: 1',
      'step 1.1 ends',
      'step 1.2',
      'answer: done',
      'step 1.2 ends',
      'turn 1 ends completed',
    ])
  })

  it('puts prompts that wait for their answer into one turn, and ends it at the next', () => {
    const log = new Turns().prompt('a').prompt('b').answer(said('c')).prompt('d').log()
    expect(log).toEqual([
      'turn 1 by user',
      'user: a',
      'user: b',
      'step 1.1',
      'answer: c',
      'step 1.1 ends',
      'turn 1 ends completed',
      'turn 2 by user',
      'user: d',
      'turn 2 ends interrupted',
    ])
  })

  it('lets context stand wherever it comes, and steering in the running turn', () => {
    const log = new Turns().inject('x').steer('a').answer(call('1')).result('1').steer('b').inject('y').log()
    expect(log).toEqual([
      'tool: x',
      'turn 1 by user',
      'user: a',
      'step 1.1',
      'answer: read#1 {}',
      'call 1',
      'result 1: 1',
      'step 1.1 ends',
      'steer user: b',
      'tool: y',
      'turn 1 ends interrupted',
    ])
  })

  it('holds what comes between a call and its answer until the answer is there', () => {
    const turns = new Turns().prompt('a')
    turns.coming.add('1').add('2')
    turns.answer(call('1'), call('2')).prompt('b').result('2').answer(call('3'), said('c')).result('3').result('1')
    expect(turns.log()).toEqual([
      'turn 1 by user',
      'user: a',
      'step 1.1',
      'answer: read#1 {} | read#2 {}',
      'call 1',
      'call 2',
      'result 2: 2',
      'result 1: 1',
      'step 1.1 ends',
      'turn 1 ends interrupted',
      'turn 2 by user',
      'user: b',
      'step 2.1',
      'answer: read#3 {} | c',
      'call 3',
      'result 3: 3',
      'step 2.1 ends',
      'turn 2 ends interrupted',
    ])
  })

  it('answers a call that nothing answers, as soon as something else comes', () => {
    const log = new Turns().answer(call('1'), call('2')).result('2').inject('x').log()
    expect(log.slice(3)).toEqual([
      'call 1',
      'call 2',
      'result 2: 2',
      'error 1 TOOL_OUTCOME_UNKNOWN: Interrupted: the transcript holds no result of this call. It may have taken effect.',
      'step 1.1 ends',
      'tool: x',
      'turn 1 ends interrupted',
    ])
  })

  it('keeps a result that no call waits for', () => {
    const log = new Turns().answer(call('1')).result('1').result('1', 'again').result('9').log()
    expect(log.filter(line => line.startsWith('rest'))).toEqual([
      'rest unpaired result {"callId":"1","content":[{"type":"text","text":"again"}]}',
      'rest unpaired result {"callId":"9","content":[{"type":"text","text":"9"}]}',
    ])
  })

  it('pairs an id that comes back in a later answer', () => {
    const turns = new Turns()
    turns.answer(call('1')).result('1', 'a').answer(call('1')).result('1', 'b')
    expect(turns.log().filter(line => line.startsWith('result'))).toEqual(['result 1: a', 'result 1: b'])
  })

  it('sets apart a call that repeats an id in its answer', () => {
    const log = new Turns().answer(call('1'), call('1')).result('1').log()
    expect(log).toContain('answer: read#1 {}')
    expect(log.filter(line => line.startsWith('rest repeated call'))).toHaveLength(1)
  })

  it('puts an answer that comes in pieces before what came meanwhile', () => {
    const turns = new Turns().prompt('a')
    turns.turns.draft()
    turns.result('1').inject('x')
    turns.turns.commit(answer(call('1'), call('2')), stamp('late'))
    expect(turns.result('2').log().slice(2, 9)).toEqual([
      'step 1.1',
      'answer: read#1 {} | read#2 {}',
      'call 1',
      'call 2',
      'result 1: 1',
      'error 2 TOOL_OUTCOME_UNKNOWN: Interrupted: the transcript holds no result of this call. It may have taken effect.',
      'step 1.1 ends',
    ])
  })

  it('drafts an answer while an older one waits for a result', () => {
    const turns = new Turns()
    turns.coming.add('1')
    turns.answer(call('1'))
    turns.turns.draft()
    turns.result('1')
    turns.turns.commit(answer(said('b')), stamp('late'))
    expect(turns.log().filter(line => !line.startsWith('step'))).toEqual([
      'turn 1 by unrecorded',
      'answer: read#1 {}',
      'call 1',
      'result 1: 1',
      'answer: b',
      'turn 1 ends completed',
    ])
  })

  it('gives up waiting when too much has come in between', () => {
    const turns = new Turns()
    turns.coming.add('1')
    turns.answer(call('1'))
    for (let count = 0; count < 1_002; count++) turns.inject('x')
    const log = turns.result('1').log()
    expect(log[4]).toContain('error 1 TOOL_OUTCOME_UNKNOWN')
    expect(log.filter(line => line === 'tool: x')).toHaveLength(1_002)
    expect(log.at(-2)).toContain('unpaired result')
  })

  it('keeps every message and every rule, in whatever order things come', () => {
    const id = fc.constantFrom('1', '2', '3')
    const action = fc.oneof(
      fc.record({ kind: fc.constantFrom('prompt', 'inject', 'steer', 'end', 'abort', 'draft', 'commit') }),
      fc.record({ kind: fc.constant('answer'), calls: fc.array(id, { maxLength: 3 }) }),
      fc.record({ kind: fc.constant('result'), callId: id }),
      fc.record({ kind: fc.constant('coming'), callId: id }),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), actions => {
        const turns = new Turns()
        let [messages, isDrafting] = [0, false]
        for (const step of actions) {
          messages += ['prompt', 'inject', 'steer', 'answer'].includes(step.kind) ? 1 : 0
          if (step.kind === 'prompt' || step.kind === 'inject' || step.kind === 'steer') turns[step.kind]('x')
          else if (step.kind === 'answer' && 'calls' in step) turns.answer(said('y'), ...step.calls.map(call))
          else if (step.kind === 'result' && 'callId' in step) turns.result(step.callId)
          else if (step.kind === 'coming' && 'callId' in step) turns.coming.add(step.callId)
          else if (step.kind === 'end') turns.turns.endTurn(undefined)
          else if (step.kind === 'abort') turns.turns.endTurn({ kind: 'aborted' })
          else if (step.kind === 'draft' && !isDrafting) {
            turns.turns.draft()
            isDrafting = true
          } else if (step.kind === 'commit' && isDrafting) {
            turns.turns.commit(answer(said('z')), stamp('z'))
            messages++
            isDrafting = false
          }
        }
        if (isDrafting) turns.turns.commit(answer(), stamp('z'))
        const lines = turns.log()
        expect(lines.filter(line => / x$|: y|: z$/.test(line))).toHaveLength(messages)
      }),
      { numRuns: 300 },
    )
  })
})
