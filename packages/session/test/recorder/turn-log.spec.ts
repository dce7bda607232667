import { Session } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { TurnLog } from '../../src/recorder/turn-log.js'
import { assistant } from '../support/events.js'
import { expectError } from '../support/expect-error.js'

const at = { turn: 1, step: 1 }

function open() {
  const session = new Session('s')
  const log = new TurnLog(session, session.append('turn/start', { turn: 1, trigger: { kind: 'retry' } }))
  return { session, log }
}

describe('TurnLog', () => {
  it('sees what others append', () => {
    const { session, log } = open()
    expect(log.requireBetweenSteps().lastStep).toBe(0)
    const { seq } = session.append('step/start', at)
    expect(log.openStep(seq, 1).step).toBe(1)
    session.append('step/end', at)
    expectError('RECORDER_STATE', () => log.openStep(seq, 1))
    session.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
    expect(log.progress.ended).toBe(true)
  })

  it('says what was expected and found, and where', () => {
    const { session, log } = open()
    session.append('step/start', at)
    const error = expectError('RECORDER_STATE', () => log.requireBetweenSteps())
    expect(error).toMatchObject({ expected: 'no open step', found: 'step 1 of turn 1', session: 's', seq: 2 })
  })

  it('tells a step that was opened by others from its own', () => {
    const { session, log } = open()
    const { seq } = session.append('step/start', at)
    session.append('step/end', at)
    session.append('step/start', { turn: 1, step: 2 })
    expectError('RECORDER_STATE', () => log.openStep(seq, 1))
  })

  it('streams from the first chunk of an attempt to its message', () => {
    const { session, log } = open()
    const { seq } = session.append('step/start', at)
    const streaming = () => log.isStreaming(log.openStep(seq, 1))
    expect(streaming()).toBe(false)
    session.append('assistant/chunk', { ...at, chunk: { type: 'text-delta', index: 0, text: 'x' } })
    expect(streaming()).toBe(true)
    expectError('RECORDER_STATE', () => log.requireQuiet())
    log.attemptFrom = session.seq
    expect(streaming()).toBe(false)
    session.append('assistant/chunk', { ...at, chunk: { type: 'text-delta', index: 0, text: 'x' } })
    session.append('assistant/message', { ...at, message: assistant('x') }, { surfaceOp: 'append' })
    expect(streaming()).toBe(false)
    log.requireQuiet()
  })

  it.each(['error', 'aborted', 'stop', 'max-tokens'] as const)('knows whether a finish as %s is a failure', kind => {
    const { session, log } = open()
    const { seq } = session.append('step/start', at)
    const reason = kind === 'error' ? { kind, failure: { message: 'm', code: 'c' } } : { kind }
    session.append('assistant/chunk', { ...at, chunk: { type: 'finish', reason } })
    expect(log.hasFailed(log.openStep(seq, 1))).toBe(kind === 'error' || kind === 'aborted')
    log.attemptFrom = session.seq
    expect(log.hasFailed(log.openStep(seq, 1))).toBe(false)
  })

  it('names the calls that wait', () => {
    const { session, log } = open()
    session.append('step/start', at)
    session.append('assistant/message', { ...at, message: assistant('', ['a', 'b']) }, { surfaceOp: 'append' })
    expect(expectError('RECORDER_STATE', () => log.requireQuiet()).found).toBe('no answer to "a", "b"')
  })
})
