import type { SessionEvent } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeEvent } from '../../src/codec/encode-event.js'
import { eventLists } from './arbitraries.js'

/** The stretches of consecutive seqs, found the plain way. */
function naiveRuns(seqs: readonly number[]): unknown[] {
  const stretches: number[][] = []
  for (const seq of seqs) {
    const last = stretches.at(-1)
    if (last !== undefined && last.at(-1) === seq - 1) last.push(seq)
    else stretches.push([seq])
  }
  return stretches.flatMap((stretch): unknown[] => (stretch.length < 3 ? stretch : [[stretch[0], stretch.at(-1)]]))
}

function naiveLine(event: SessionEvent): string {
  if (!('sourceEventSeqs' in event)) return JSON.stringify(event)
  return JSON.stringify({ ...event, sourceEventSeqs: naiveRuns(event.sourceEventSeqs ?? []) })
}

describe('encodeEvent', () => {
  it('writes what JSON.stringify writes, but for the runs of sources', () => {
    fc.assert(
      fc.property(eventLists, events => {
        for (const event of events) expect(encodeEvent(event)).toBe(naiveLine(event))
      }),
      { numRuns: 200 },
    )
  })

  it('writes the keys in the order of the format, whatever the order in the event', () => {
    const event = { data: {}, time: 2, surfaceOp: 'append', seq: 9, sourceEventSeqs: [3], type: 'tool/result' }
    expect(encodeEvent(event as unknown as SessionEvent)).toBe(
      '{"type":"tool/result","seq":9,"time":2,"surfaceOp":"append","sourceEventSeqs":[3],"data":{}}',
    )
  })

  it('tells sources that are known to be none from sources that nobody recorded', () => {
    const event = { type: 'assistant/message', seq: 9, time: 2, surfaceOp: 'append', data: {} }
    expect(encodeEvent({ ...event, sourceEventSeqs: [] } as unknown as SessionEvent)).toContain('"sourceEventSeqs":[],')
    expect(encodeEvent(event as unknown as SessionEvent)).not.toContain('sourceEventSeqs')
  })
})
