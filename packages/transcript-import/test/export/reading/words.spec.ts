import { describe, expect, it } from 'vitest'
import {
  beginning,
  clock,
  duration,
  factCounts,
  plural,
  readableArguments,
  reasonWords,
  sourceName,
  thousands,
  triggerWords,
  usageWords,
} from '../../../src/export/reading/words.js'

const fact = (eventType: string, text?: string) => ({ type: 'fact' as const, seq: 0, time: 0, eventType, text })

describe('words', () => {
  it('tells times in UTC, and no time where there is none', () => {
    expect(clock(Date.UTC(2026, 0, 2, 3, 4, 5))).toBe('2026-01-02 03:04:05')
    for (const none of [0, -5, Number.NaN, 9e15]) expect(clock(none)).toBe('')
  })

  it('tells durations', () => {
    const words = [1, 59, 60, 3_599, 3_600, 90_000].map(seconds => duration(1, seconds * 1_000 + 1))
    expect(words).toEqual(['1 s', '59 s', '1 min 0 s', '59 min 59 s', '1 h 0 min', '25 h 0 min'])
    expect([duration(5, 5), duration(9_000, 5), duration(0, 5_000)]).toEqual(['', '', ''])
  })

  it('tells counts', () => {
    expect([thousands(0), thousands(999), thousands(1_000), thousands(12_345_678)]).toEqual([
      '0',
      '999',
      '1,000',
      '12,345,678',
    ])
    expect([plural(1, 'line'), plural(2, 'line'), plural(0, 'line')]).toEqual(['1 line', '2 lines', '0 lines'])
  })

  it('tells tokens that there are', () => {
    expect(usageWords({ inputTokens: 0, outputTokens: 0 })).toBe('')
    expect(usageWords({ inputTokens: 1_200, outputTokens: 0, cacheReadTokens: 5, reasoningTokens: 1 })).toBe(
      '1,206 tokens (1,200 in, 5 cache read, 1 reasoning)',
    )
  })

  it('names sources, endings and what started a turn', () => {
    expect(sourceName({ kind: 'user' })).toBe('User')
    expect(sourceName({ kind: 'plugin', plugin: 'memory' })).toBe('memory')
    expect(sourceName({ kind: 'tool', callId: 'c' as never })).toBe('tool')
    expect(reasonWords({ kind: 'max-tokens' })).toBe('max-tokens')
    expect(reasonWords({ kind: 'error', step: 1, message: 'm' })).toBe('error: m')
    expect(reasonWords({ kind: 'error', step: 1, failure: { code: 'X', message: 'f' } as never })).toBe('error: f')
    expect(reasonWords({ kind: 'error' } as never)).toBe('error: unknown')
    expect(triggerWords(undefined)).toBe('')
    expect(triggerWords({ kind: 'unrecorded' })).toBe('')
    expect(triggerWords({ kind: 'message', source: { kind: 'user' } })).toBe('')
    expect(triggerWords({ kind: 'message', source: { kind: 'plugin', plugin: 'p' } })).toBe('started by p')
    expect(triggerWords({ kind: 'timer' } as never)).toBe('started by timer')
  })

  it('counts the facts that say nothing themselves', () => {
    expect(factCounts([fact('a'), fact('b', 'said'), fact('a'), fact('c')])).toBe('a ×2, c')
  })

  it('indents arguments that are JSON, and cuts no character in two', () => {
    expect(readableArguments('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(readableArguments('{bad')).toBe('{bad')
    expect(beginning('a😀b', 2)).toBe('a')
    expect(beginning('a😀b', 3)).toBe('a😀')
  })
})
