import type { MessageId } from '@dsh/llm'
import { describe, expect, it } from 'vitest'
import { call, plugin, said, stamp, Turns } from '../support/turns.js'

/** Messages m0 to m5: a prompt, an answer with two calls, its results, an answer, a prompt. */
function conversation(): Turns {
  return new Turns().prompt('a').answer(call('1'), call('2')).result('1').result('2').answer(said('b')).prompt('c')
}

function compacted(turns: Turns, more: object, text = 'sum'): string {
  turns.turns.compact({ content: [said(text)], stamp: stamp('s'), source: plugin, ...more })
  const log = turns.log()
  const notes = log.filter(line => line.startsWith('note'))
  return [log.find(line => line.startsWith('tool: ')), ...notes].join(' / ')
}

// The seqs of those messages: the prompt 1, the answer 3, the results 6 and 7, the answer 10, the prompt 14.
describe('compactSurface', () => {
  it('replaces everything where nothing is said to stay', () => {
    expect(compacted(conversation(), {})).toBe('tool: sum [for 1-14]')
  })

  it('replaces what comes before the first message that stays', () => {
    expect(compacted(conversation(), { keepFrom: 'm4' as MessageId })).toBe('tool: sum [for 1-7]')
  })

  it('keeps a call with its results, wherever the cut falls', () => {
    for (const id of ['m1', 'm2', 'm3']) {
      expect(compacted(conversation(), { keepFrom: id as MessageId })).toBe('tool: sum [for 1-1]')
    }
  })

  it('replaces some of the messages, again without parting a call from its results', () => {
    const replaced = (...ids: string[]) => compacted(conversation(), { replaced: ids as MessageId[] })
    expect(replaced('m4')).toBe('tool: sum [for 10-10]')
    expect(replaced('m2', 'm3', 'm4')).toBe('tool: sum [for 10-10]')
    expect(replaced('m0', 'm1', 'm2')).toBe('tool: sum [for 1-1]')
    expect(replaced('m0', 'm4')).toContain('[for 1-10] / note compaction: What the summary replaces lies apart')
  })

  it('puts a summary that replaces nothing behind what stays, and says so', () => {
    expect(compacted(conversation(), { keepFrom: 'm0' as MessageId })).toBe(
      'tool: sum / note compaction: The summary replaces no message, so it follows those that stay.',
    )
    expect(compacted(new Turns(), {})).toBe('tool: sum')
  })

  it('keeps nothing where what is to stay is unknown, and says so', () => {
    expect(compacted(conversation(), { keepFrom: 'no' as MessageId })).toContain('sum [for 1-14] / note compaction')
  })

  it('says in words that there is no summary', () => {
    expect(compacted(conversation(), {}, ' ')).toContain('holds no summary of it.) [for 1-14]')
  })
})
