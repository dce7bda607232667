import { describe, expect, it } from 'vitest'
import { readSections } from '../../../src/export/reading/read-sections.js'
import { Redactor } from '../../../src/export/redact.js'
import { message, sessionOf } from '../../support/sessions.js'
import { answer, call, end, result, start, story, text } from '../../support/story.js'

const open = new Redactor(undefined)
const append = { surfaceOp: 'append' }

describe('readSections', () => {
  it('makes a section of each turn and of what lies between', () => {
    const sections = [...readSections(story(), open)]
    expect(sections.map(({ turn, ending, items }) => [turn, ending, items.map(({ type }) => type)])).toEqual([
      [1, undefined, ['message', 'fact', 'answer']],
      [undefined, undefined, ['message', 'fact']],
      [2, 'error: it broke', ['message', 'message', 'fact']],
    ])
    expect(sections[0]!.usage).toEqual({ inputTokens: 1200, outputTokens: 30, reasoningTokens: 4 })
    expect(sections[0]!.endTime - sections[0]!.startTime).toBe(8_000)
  })

  it('says what a replacement hid, and where', () => {
    const [first, between] = [...readSections(story(), open)]
    expect(first!.items).toMatchObject([{ seq: 1, hiddenBy: 9 }, {}, { seq: 4, hiddenBy: 9 }])
    expect(first!.items[2]).toMatchObject({ calls: [{ id: 'c', result: { seq: 6, hiddenBy: 9, isError: true } }] })
    expect(between!.items[0]).toMatchObject({ seq: 9, replaces: [1, 4, 6], hiddenBy: undefined })
  })

  it('gives a result to the call that it answers, and stands alone otherwise', () => {
    const session = sessionOf(
      start(1),
      answer([call('1'), call('2')]),
      result('2', [text('two')]),
      result('2', [text('again')]),
      result('3', [text('of nobody')]),
    )
    const [{ items } = { items: [] }] = readSections(session, open)
    expect(items).toMatchObject([
      { type: 'answer', calls: [{ result: undefined }, { result: { content: [text('two')] } }] },
      { type: 'result', content: [text('again')] },
      { type: 'result', content: [text('of nobody')] },
    ])
  })

  it('counts tokens of answers once, streamed ones where the answer does not say', () => {
    const place = { turn: 1, step: 1 }
    const usage = (outputTokens: number) => ({ inputTokens: 1, outputTokens })
    const chunk = (outputTokens: number) =>
      ['assistant/chunk', { ...place, chunk: { type: 'usage', usage: usage(outputTokens) } }] as const
    const session = sessionOf(
      start(1),
      ['step/start', place],
      chunk(2),
      chunk(5),
      answer([text('a')]),
      ['step/start', place],
      answer([text('b')], { usage: usage(7) }),
      answer([text('shorter')], {
        usage: usage(7),
        marker: { surfaceOp: { op: 'replace', start: 6, end: 6 }, sourceEventSeqs: [6] },
      }),
    )
    const [{ usage: total } = { usage: undefined }] = readSections(session, open)
    expect(total).toEqual({ inputTokens: 2, outputTokens: 12 })
  })

  it('reads a log that breaks off, and turns that were never closed', () => {
    const session = sessionOf(start(1), ['user/message', message('user', 'a'), append], start(2), end(2))
    const sections = [...readSections(session, open)]
    expect(sections.map(({ turn, items }) => [turn, items.length])).toEqual([
      [1, 1],
      [2, 0],
    ])
    expect([...readSections(sessionOf(), open)]).toEqual([])
  })

  it('tells what facts say that are meant to be read, in the words of the hook', () => {
    const session = sessionOf(
      ['import/note', { about: 'a', text: 'a secret' }],
      ['import/damaged', { origin: { format: 'pi' }, reason: 'not JSON', text: 'x', bytes: 7 }],
      ['plugin/fact', { text: 'b' }],
      start(1),
      end(1, { kind: 'error', step: 1, message: 'secret' }),
    )
    const sections = [...readSections(session, new Redactor(said => said.replaceAll('secret', '***')))]
    expect(sections[0]!.items.map(item => item.type === 'fact' && item.text)).toEqual([
      'a ***',
      '7 bytes could not be read: not JSON',
      undefined,
    ])
    expect(sections[1]!.ending).toBe('error: ***')
  })
})
