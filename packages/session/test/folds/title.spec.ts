import { Session, title } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { user } from '../support/events.js'

function titleOf(...texts: string[]): string | undefined {
  const session = new Session('s')
  for (const text of texts) session.append('user/message', user(text), { surfaceOp: 'append' })
  return session.fold(title)
}

describe('title', () => {
  it('is the first prompt of a person, and stays', () => {
    const session = new Session('s')
    const injected = { ...user('reminder'), source: { kind: 'plugin' as const, plugin: 'x' } }
    session.append('user/message', injected, { surfaceOp: 'append' })
    expect(session.fold(title)).toBeUndefined()
    session.append('user/message', user('Fix the build'), { surfaceOp: 'append' })
    session.append('user/message', user('And then the docs'), { surfaceOp: 'append' })
    expect(session.fold(title)).toBe('Fix the build')
  })

  it('is one line without control characters', () => {
    expect(titleOf('  one\n\n\ttwo\u001b[31m three\u0000 ')).toBe('one two [31m three')
  })

  it('skips prompts that show no text', () => {
    expect(titleOf(' \n ', '', 'words')).toBe('words')
    expect(titleOf('\u0000')).toBeUndefined()
  })

  it('joins the text blocks of a prompt and leaves images out', () => {
    const session = new Session('s')
    const image = { type: 'image' as const, mediaType: 'image/png', ref: 'x' }
    const content = [{ type: 'text' as const, text: 'look' }, image, { type: 'text' as const, text: 'here' }]
    session.append('user/message', { ...user(''), content }, { surfaceOp: 'append' })
    expect(session.fold(title)).toBe('look here')
  })

  it('keeps 80 characters and shortens 81', () => {
    expect(titleOf('x'.repeat(80))).toBe('x'.repeat(80))
    expect(titleOf('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`)
    expect(titleOf(`${'x'.repeat(78)} yyy`)).toBe(`${'x'.repeat(78)}…`)
  })

  it('cuts no emoji or combining sequence in two', () => {
    const family = '👨‍👩‍👧‍👦'
    expect(titleOf(`${'x'.repeat(75)}${family}${family}`)).toBe(`${'x'.repeat(75)}…`)
    expect(titleOf('e\u0301'.repeat(60))).toBe(`${'e\u0301'.repeat(39)}…`)
  })

  it('stays short when one character alone is longer than a line', () => {
    expect(titleOf(`a${'\u0301'.repeat(500)}`)).toBe(`a${'\u0301'.repeat(78)}…`)
    const joined = Array(60).fill('👩').join('\u200d')
    expect(titleOf(joined)).toMatch(/^[👩\u200d]+…$/u)
  })

  it('is a line of at most 80 units whatever the prompt is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        const line = titleOf(text)
        expect(line === undefined).toBe(text.replace(/[\s\p{Cc}]/gu, '') === '')
        expect((line ?? '').length).toBeLessThanOrEqual(80)
        expect(line ?? 'x').not.toMatch(/\p{Cc}|^\s|\s$/u)
      }),
    )
  })
})
