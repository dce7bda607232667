import { describe, expect, it } from 'vitest'
import { assembly } from '../../src/rules/assembly.js'
import { isViolation } from '../../src/violation.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import {
  assistant,
  call,
  chunk,
  logOf,
  raw,
  say,
  stepEnd,
  stepStart,
  textDelta,
  turnEnd,
  turnStart,
} from '../support/draft.js'

const step = [turnStart(1), stepStart(1), textDelta('Hel'), textDelta('lo')] as const

describe('assembly', () => {
  it('accepts a message that is what its chunks add up to', () => {
    expect(brokenBy(assembly, ...step, assistant([say('Hello')], { sources: [2, 3] }))).toEqual([])
  })

  it('accepts a message that cites the second of two attempts', () => {
    expect(brokenBy(assembly, ...step, textDelta('Bye'), assistant([say('Bye')], { sources: [4] }))).toEqual([])
  })

  it('accepts what is not a chunk beside the chunks', () => {
    const log = [...step, raw('acme/response'), assistant([say('Hello')], { sources: [2, 3, 4] })]
    expect(brokenBy(assembly, ...log)).toEqual([])
  })

  it('accepts a message that records no sources, or none that is a chunk', () => {
    expect(brokenBy(assembly, ...step, assistant([say('Other')]), assistant([say('Other')], { sources: [0] }))).toEqual(
      [],
    )
  })

  it('refuses other content', () => {
    expect(complaints(assembly, ...step, assistant([say('Hallo')], { sources: [2, 3] }))).toEqual([
      'expected the content that the cited chunks add up to, found other content at data.message.content',
    ])
  })

  it('refuses a message that cites too few or too many of its chunks', () => {
    const tail = textDelta('!')
    expect(brokenBy(assembly, ...step, tail, assistant([say('Hello')], { sources: [2] }))).toEqual([5])
    expect(brokenBy(assembly, ...step, tail, assistant([say('Hello')], { sources: [2, 3, 4] }))).toEqual([5])
  })

  it('refuses sources from before the step', () => {
    const next = [stepEnd(1), stepStart(2), textDelta('lo', 2)]
    const message = assistant([say('Hello')], { sources: [2, 6], step: 2 })
    expect(complaints(assembly, ...step, ...next, message)).toEqual([
      "expected sources after the step's start at 5, found 2 at sourceEventSeqs",
    ])
  })

  it('refuses sources that are chunks of earlier steps only, also of those that a plugin wrote into', () => {
    const first = [turnStart(1), stepStart(1), textDelta('Hel'), raw('acme/note'), textDelta('lo'), stepEnd(1)]
    const second = [stepStart(2), textDelta('!', 2), stepEnd(2), stepStart(3)]
    const citing = (...sources: number[]) =>
      complaints(assembly, ...first, ...second, assistant([say('Hello!')], { sources, step: 3 }))
    for (const chunk of [2, 4, 7]) {
      expect(citing(0, chunk)).toEqual([
        `expected sources after the step's start at 9, found ${chunk} at sourceEventSeqs`,
      ])
    }
    expect(citing(0, 1, 3, 5, 6, 8)).toEqual([])
  })

  it('refuses content from a stream that is cited as empty', () => {
    expect(brokenBy(assembly, ...step, assistant([say('Hello')], { sources: [] }))).toEqual([4])
    expect(brokenBy(assembly, ...step, assistant([], { sources: [] }))).toEqual([])
  })

  it('checks tool calls and replay state', () => {
    const chunks = [
      chunk({ type: 'tool-call-delta', index: 0, id: 'c', name: 'read', argumentsDelta: '{}' }),
      chunk({ type: 'finish', reason: { kind: 'tool-calls' }, replayState: { signature: 'x' } }),
    ]
    const log = [turnStart(1), stepStart(1), ...chunks]
    const message = assistant([call('c')], { sources: [2, 3] })
    expect(complaints(assembly, ...log, message)).toEqual([
      'expected the replay state of the cited chunks, found another at data.message.source.replayState',
    ])
    const signed = structuredClone(message) as { data: { message: { source: object } } } & typeof message
    Object.assign(signed.data.message.source, { replayState: { signature: 'x' } })
    expect(brokenBy(assembly, ...log, signed)).toEqual([])
    expect(brokenBy(assembly, ...log, assistant([call('d')], { sources: [2] }))).toEqual([4])
  })

  it('lets a rewrite cite what it shadows', () => {
    const surfaceOp = { op: 'replace', start: 4, end: 4 } as const
    const message = assistant([say('Hello')], { sources: [2, 3] })
    expect(brokenBy(assembly, ...step, message, assistant([say('Hi')], { sources: [4, 3], surfaceOp }))).toEqual([])
  })

  it('says nothing where chunks were not replayed, until the next step', () => {
    const wrong = assistant([say('Wrong')], { sources: [2, 3] })
    const log = logOf(...step, wrong)
    const state = log.slice(0, 3).reduce((state, event) => assembly.apply(state, event) as never, assembly.initial())
    expect(isViolation(assembly.apply(assembly.gap!(state), log[4]!))).toBe(false)
    expect(isViolation(log.reduce((state, event) => assembly.apply(state, event) as never, assembly.initial()))).toBe(
      true,
    )
  })

  it('forgets the chunks, but not where they lie, when the step or the turn closes', () => {
    const end = (draft: ReturnType<typeof raw>) =>
      logOf(...step, draft).reduce((state, event) => assembly.apply(state, event) as never, assembly.initial())
    const places = { list: undefined, closed: { from: 2, to: 3, previous: undefined } }
    expect([end(stepEnd(1)), end(turnEnd(1))]).toEqual([places, places])
  })
})
