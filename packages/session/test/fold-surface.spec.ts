import { foldSurface } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveEvents, naiveSurface, steps, user } from './support/events.js'
import { expectError } from './support/expect-error.js'

describe('foldSurface', () => {
  it('replays any log to the nodes of an array that is spliced, and tells what each replacement removed', () => {
    fc.assert(
      fc.property(steps, list => {
        const events = naiveEvents(list)
        const { nodes, replacements } = foldSurface(events)
        expect(nodes).toEqual(naiveSurface(events))
        for (const { seq, start, end, shadowedSeqs } of replacements) {
          const before = naiveSurface(events.slice(0, seq))
          expect(shadowedSeqs).toEqual(before.slice(before.indexOf(start), before.indexOf(end) + 1))
        }
        const replacing = events.filter(event => 'surfaceOp' in event && event.surfaceOp !== 'append')
        expect(replacements.map(replacement => replacement.seq)).toEqual(replacing.map(event => event.seq))
      }),
      { numRuns: 200 },
    )
  })

  it('refuses a replacement of what is not there', () => {
    const events = naiveEvents([
      {
        type: 'user/message',
        data: user('a'),
        intent: { surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [0] },
      },
    ])
    expectError('SURFACE_CONFLICT', () => foldSurface(events))
  })

  it('gives lists of its own each time', () => {
    const events = naiveEvents([{ type: 'user/message', data: user('a'), intent: { surfaceOp: 'append' } }])
    foldSurface(events).nodes.push(9)
    expect(foldSurface(events).nodes).toEqual([0])
  })
})
