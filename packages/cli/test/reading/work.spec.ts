import { Session, sessionTokenTotals } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { addToRoute, workFrom, workOf } from '../../src/reading/work.js'
import { LogBuilder } from '../support/log-builder.js'

function work(log: LogBuilder, boundary = 0) {
  return workOf(new Session('s' as Session['id'], log.events).fold(workFrom(boundary)))
}

const usage = { inputTokens: 10, outputTokens: 2 }

describe('workFrom', () => {
  it('adds up turns, calls, tokens by model, and tools', () => {
    const log = new LogBuilder()
      .prompt('One')
      .answer('', {
        usage,
        calls: [
          { name: 'read', result: 'x', took: 100 },
          { name: 'read', result: 'no', isError: true, took: 50 },
        ],
      })
      .answer('Done', { usage })
      .end()
      .prompt('Two')
      .answer('', { calls: [{ name: 'write' }] })
    expect(work(log)).toEqual({
      turns: 2,
      calls: 2,
      tokens: { inputTokens: 20, outputTokens: 4 },
      routes: new Map([['acme/large-1', { inputTokens: 20, outputTokens: 4 }]]),
      tools: new Map([
        ['read', { calls: 2, errors: 1, time: 150 }],
        ['write', { calls: 1, errors: 0, time: 0 }],
      ]),
    })
  })

  it('counts what a fork took over with the session where it happened', () => {
    const parent = new LogBuilder()
      .prompt('One')
      .answer('', { usage, calls: [{ name: 'read', result: 'x' }] })
      .end()
    const boundary = parent.events.length
    const child = new LogBuilder(parent.events).prompt('Two').answer('Yes', { usage }).end()
    expect(work(child, boundary)).toMatchObject({ turns: 1, calls: 1, tokens: usage, tools: new Map() })
    const session = new Session('s' as Session['id'], child.events)
    const [own, inherited] = [work(child, boundary), work(parent)]
    expect(own.tokens.inputTokens + inherited.tokens.inputTokens).toBe(sessionTokenTotals(session).total.inputTokens)
  })

  it('gives tokens that a stream reports to the model that was asked', () => {
    const log = new LogBuilder().prompt('One')
    log.add('step/start', { turn: 1, step: 1 })
    log.add('request/header', { header: { config: { provider: 'p', model: 'm' } }, reason: 'initial' })
    log.add('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'usage', usage } })
    expect(work(log).routes).toEqual(new Map([['p/m', usage]]))
  })

  it('reads whatever a foreign log holds', () => {
    const log = new LogBuilder().prompt('One')
    log.add('tool/call', { turn: 1, step: 1, callId: 7, name: { x: 1 } }).add('tool/call', null)
    expect(work(log).tools).toEqual(
      new Map([
        ['{"x":1}', { calls: 1, errors: 0, time: 0 }],
        ['', { calls: 1, errors: 0, time: 0 }],
      ]),
    )
  })

  it('takes no time off when the clock steps back', () => {
    const log = new LogBuilder().prompt('One').answer('', { calls: [{ name: 'read', result: 'x', took: -500 }] })
    expect(work(log).tools.get('read')).toEqual({ calls: 1, errors: 0, time: 0 })
  })
})

describe('addToRoute', () => {
  it('leaves what it was given as it was', () => {
    const before = new Map([['a', usage]])
    expect(addToRoute(before, 'a', usage).get('a')).toEqual({ inputTokens: 20, outputTokens: 4 })
    expect(addToRoute(before, 'b', usage).size).toBe(2)
    expect(before).toEqual(new Map([['a', usage]]))
  })
})
