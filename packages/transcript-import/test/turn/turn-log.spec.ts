import { describe, expect, it } from 'vitest'
import { LogWriter } from '../../src/log/log-writer.js'
import { TurnLog } from '../../src/turn/turn-log.js'
import { answer, call, said, stamp } from '../support/turns.js'

const user = { kind: 'user' as const }

function ended(play: (log: TurnLog) => void): unknown {
  const writer = new LogWriter('codex', 0)
  const log = new TurnLog(writer)
  log.prompt([said('a')], stamp('u'), user)
  play(log)
  return writer.drain().flatMap(event => (event.type === 'turn/end' ? event.data.reason : []))[0]
}

describe('TurnLog', () => {
  it('tells from the last step why a turn ended that does not say it', () => {
    expect(ended(log => log.endTurn(undefined, 1))).toEqual({ kind: 'interrupted' })
    expect(
      ended(log => {
        log.answer(answer(said('b')), stamp('a'))
        log.endTurn(undefined, 1)
      }),
    ).toEqual({ kind: 'completed' })
    expect(
      ended(log => {
        log.answer(answer(call('1')), stamp('a'))
        log.result({ callId: '1', content: [] }, stamp('r'))
        log.endTurn(undefined, 1)
      }),
    ).toEqual({ kind: 'interrupted' })
  })

  it('lets a cut answer outrank completion, and nothing else', () => {
    const cut = (log: TurnLog) => log.answer({ ...answer(said('b')), stop: 'max-tokens' }, stamp('a'))
    const after = (ending: Parameters<TurnLog['endTurn']>[0]) =>
      ended(log => {
        cut(log)
        log.answer(answer(said('c')), stamp('b'))
        log.endTurn(ending, 1)
      })
    expect([after(undefined), after({ kind: 'completed' })]).toEqual([{ kind: 'max-tokens' }, { kind: 'max-tokens' }])
    expect(after({ kind: 'aborted' })).toEqual({ kind: 'aborted' })
    expect(after({ kind: 'error', message: 'no' })).toEqual({ kind: 'error', step: 2, message: 'no' })
  })

  it('ends a turn at the time that the transcript tells, or else when it fell silent', () => {
    const times = (ending: Parameters<TurnLog['endTurn']>[0]) => {
      const writer = new LogWriter('codex', 0)
      const log = new TurnLog(writer)
      log.prompt([said('a')], stamp('u', 10), user)
      log.endTurn(ending, 99)
      return writer.drain().at(-1)!.time
    }
    expect([times(undefined), times({ kind: 'aborted' })]).toEqual([10, 99])
  })

  it('starts a step when its request was made', () => {
    const writer = new LogWriter('codex', 0)
    new TurnLog(writer).answer({ ...answer(said('a')), startedAt: 5 }, stamp('a', 9))
    expect(writer.drain().map(({ type, time }) => [type, time])).toEqual([
      ['turn/start', 9],
      ['step/start', 5],
      ['assistant/message', 9],
      ['step/end', 9],
    ])
  })

  it('does not start the calls of an answer that was cut off, unless one is answered', () => {
    const writer = new LogWriter('codex', 0)
    const log = new TurnLog(writer)
    log.answer({ ...answer(call('1'), call('2')), stop: 'aborted' }, stamp('a'))
    log.result({ callId: '1', content: [] }, stamp('r'))
    log.answerOpenCalls()
    const events = writer.drain()
    expect(events.filter(({ type }) => type === 'tool/call')).toHaveLength(1)
    expect(events.flatMap(event => (event.type === 'tool/result' ? [event.data.error?.code] : []))).toEqual([
      undefined,
      'TOOL_NOT_STARTED',
    ])
  })

  it('knows where turns end in the source', () => {
    const writer = new LogWriter('codex', 0)
    const log = new TurnLog(writer)
    writer.at({ ordinal: 3, position: {}, value: {} }, undefined)
    log.prompt([said('a')], stamp('u'), user)
    writer.at({ ordinal: 8, position: {}, value: {} }, undefined)
    log.endTurn(undefined, 1)
    expect(writer.boundaries).toEqual([{ seq: 2, ordinal: 3 }])
  })
})
