import { callId, userMessage } from '@dsh/llm'
import { appendClosers, closeOpenTurn, recordTurn, Session, type SessionEvent } from '@dsh/session'
import { attachHost } from '@dsh/session/host'
import { describe, expect, it } from 'vitest'
import { assistant } from '../support/events.js'
import { expectError } from '../support/expect-error.js'

const route = { provider: 'p', model: 'm' }
const steering = userMessage('rather this')

function begin() {
  const session = new Session('s')
  return { session, turn: recordTurn(session) }
}

/** A turn in which `a` is answered, `b` runs and `c` waits. */
function working() {
  const { session, turn } = begin()
  const step = turn.step()
  step.message(assistant('', ['a', 'b', 'c']).content, route)
  step.call(callId('a'))
  step.call(callId('b'))
  step.result(callId('a'), 'done')
  return { session, turn, step }
}

function refused(session: Session, action: () => unknown): void {
  const { seq } = session
  expectError('RECORDER_STATE', action)
  expect(session.seq).toBe(seq)
}

const types = (events: Iterable<SessionEvent>) => [...events].map(event => event.type)

describe('prompts and steering', () => {
  it('enter the surface as they are', () => {
    const { session, turn } = begin()
    const prompt = userMessage('go')
    expect(turn.prompt(prompt).data).toEqual(prompt)
    expect(turn.steer(steering).data).toEqual({ turn: 1, message: steering })
    expect(session.deriveMessages()).toEqual([prompt, steering])
  })

  it('never stand between a call and its result', () => {
    const { session, turn } = working()
    refused(session, () => turn.prompt(userMessage('hey')))
    refused(session, () => turn.steer(steering))
  })

  it('wait while an answer streams', () => {
    const { session, turn } = begin()
    const step = turn.step()
    turn.prompt(userMessage('context for the step'))
    step.chunk({ type: 'text-delta', index: 0, text: 'x' })
    refused(session, () => turn.prompt(userMessage('hey')))
    step.finish(route)
    turn.prompt(userMessage('behind the answer'))
  })

  it('steer between steps only', () => {
    const { session, turn } = begin()
    const step = turn.step()
    refused(session, () => turn.steer(steering))
    step.end()
    turn.steer(steering)
  })
})

describe('the steps of a turn', () => {
  it('are numbered from 1 and open one at a time', () => {
    const { session, turn } = begin()
    const first = turn.step()
    refused(session, () => turn.step())
    first.end()
    expect([first.step, turn.step().step]).toEqual([1, 2])
  })

  it('count on behind a step that somebody else recorded', () => {
    const { session, turn } = begin()
    session.append('step/start', { turn: 1, step: 1 })
    refused(session, () => turn.step())
    session.append('step/end', { turn: 1, step: 1 })
    expect(turn.step().step).toBe(2)
  })
})

describe('the ordinary end of a turn', () => {
  it('is completed, between steps', () => {
    const { session, turn } = begin()
    const step = turn.step()
    refused(session, () => turn.close())
    step.end()
    expect(turn.close().data).toEqual({ turn: 1, reason: { kind: 'completed' } })
    expect(turn.ended).toBe(true)
  })

  it('is max-tokens once a step was cut, even if the turn went on', () => {
    const { turn } = begin()
    for (const kind of ['max-tokens', 'stop'] as const) {
      const step = turn.step()
      step.chunk({ type: 'finish', reason: { kind } })
      step.finish(route)
      step.end()
    }
    expect(turn.close().data.reason).toEqual({ kind: 'max-tokens' })
  })

  it('does not count a cut attempt that was made again', () => {
    const { turn } = begin()
    const step = turn.step()
    step.chunk({ type: 'finish', reason: { kind: 'max-tokens' } })
    step.retry()
    step.chunk({ type: 'finish', reason: { kind: 'stop' } })
    step.finish(route)
    step.end()
    expect(turn.close().data.reason).toEqual({ kind: 'completed' })
  })
})

describe('the abrupt end of a turn', () => {
  it('answers what is owed: three calls, one answered, give three results', () => {
    const { session, turn } = working()
    expect(turn.abort()?.data).toEqual({ turn: 1, reason: { kind: 'aborted' } })
    const results = [...session].filter(event => event.type === 'tool/result')
    expect(results.map(event => [event.data.message.source.callId, event.data.error?.code])).toEqual([
      ['a', undefined],
      ['b', 'TOOL_OUTCOME_UNKNOWN'],
      ['c', 'TOOL_NOT_STARTED'],
    ])
    expect(types(session.slice(-2 + session.seq))).toEqual(['step/end', 'turn/end'])
  })

  it('appends what the closers of the same log say', () => {
    const { session, turn } = working()
    const closers = closeOpenTurn(session, 'aborted')
    const { seq } = session
    turn.abort()
    const plain = (events: readonly SessionEvent[]) => events.map(({ time: _, ...event }) => event)
    expect(plain(session.slice(seq))).toEqual(plain(closers))
  })

  it('keeps the failure of a model request, with the step that it struck', () => {
    const failure = { message: 'overloaded', code: 'E529' }
    const { turn } = working()
    expect(turn.fail(failure)?.data.reason).toEqual({ kind: 'error', step: 1, failure })
  })

  it('keeps message and code of anything else that was thrown', () => {
    const { turn } = begin()
    turn.step().end()
    const thrown = Object.assign(new Error('boom'), { code: 'EIO' })
    expect(turn.fail(thrown)?.data.reason).toEqual({ kind: 'error', step: 1, message: 'boom', code: 'EIO' })
    expect(begin().turn.fail('early')?.data.reason).toEqual({ kind: 'error', step: 0, message: 'early' })
  })

  it('tells that the owner went away', () => {
    expect(working().turn.dispose()?.data.reason).toEqual({ kind: 'disposed' })
  })

  it.each(['abort', 'fail', 'dispose'] as const)('outranks a cut by %s', name => {
    const { turn } = begin()
    const step = turn.step()
    step.message('cut', { ...route, finish: { kind: 'max-tokens' } })
    expect(turn[name]('x')?.data.reason.kind).toBe({ abort: 'aborted', fail: 'error', dispose: 'disposed' }[name])
  })

  it('leaves an answer that was streaming in chunks, with no message', () => {
    const { session, turn } = begin()
    turn.step().chunk({ type: 'text-delta', index: 0, text: 'x' })
    turn.abort()
    expect(types(session)).toEqual(['turn/start', 'step/start', 'assistant/chunk', 'step/end', 'turn/end'])
  })

  it('comes once: an abort that races with the end changes nothing', () => {
    const { session, turn } = begin()
    turn.close()
    expect([turn.abort(), turn.fail(new Error('late')), turn.dispose()]).toEqual([undefined, undefined, undefined])
    expect(session.seq).toBe(2)
  })

  it('can be asked for again where a veto stopped it half way', () => {
    const { session, turn } = working()
    const detach = attachHost(session, {
      admit(event) {
        if (event.type === 'step/end') throw new Error('veto')
        return undefined
      },
    })
    expect(() => turn.abort()).toThrow('veto')
    expect(turn.ended).toBe(false)
    detach()
    turn.abort()
    expect(types(session).slice(-4)).toEqual(['tool/result', 'tool/result', 'step/end', 'turn/end'])
  })
})

describe('a turn that has ended', () => {
  it('takes nothing more, whoever ended it', () => {
    const { session, turn, step } = working()
    appendClosers(session, closeOpenTurn(session, { kind: 'disposed' }))
    expect(turn.ended).toBe(true)
    for (const action of [
      () => turn.prompt(userMessage('x')),
      () => turn.steer(steering),
      () => turn.step(),
      () => turn.close(),
      () => step.result(callId('b'), 'late'),
    ]) {
      refused(session, action)
    }
  })

  it('does not mix with the next one', () => {
    const { session, turn } = begin()
    const step = turn.step()
    turn.abort()
    const next = recordTurn(session)
    next.step()
    refused(session, () => step.chunk({ type: 'text-delta', index: 0, text: 'late' }))
    refused(session, () => turn.close())
    expect(next.ended).toBe(false)
  })
})
