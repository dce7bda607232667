import { Session } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Surface } from '../src/surface.js'
import { appendStep, naiveEvents, naiveSurface, steps } from './support/events.js'
import { expectError } from './support/expect-error.js'

describe('Surface', () => {
  it('agrees with an array that is spliced, whatever is appended and replaced', () => {
    fc.assert(
      fc.property(steps, list => {
        const surface = new Surface()
        const events = naiveEvents(list)
        let replacements = 0
        for (const event of events) {
          if (!('surfaceOp' in event)) continue
          surface.apply(event.seq, event.surfaceOp)
          if (event.surfaceOp !== 'append') replacements++
        }
        const nodes = naiveSurface(events)
        expect(surface.nodes).toEqual(nodes)
        expect(surface.size).toBe(nodes.length)
        expect(surface.replaceGeneration).toBe(replacements)
        nodes.forEach((seq, index) => {
          expect(surface.node(seq)).toEqual({ seq, prev: nodes[index - 1] ?? null, next: nodes[index + 1] ?? null })
        })
        for (const { seq } of events) if (!nodes.includes(seq)) expect(surface.node(seq)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  it('keeps its links in ascending order through replacements', () => {
    fc.assert(
      fc.property(steps, list => {
        const surface = new Surface()
        for (const event of naiveEvents(list)) if ('surfaceOp' in event) surface.apply(event.seq, event.surfaceOp)
        const orders: number[] = []
        for (let link = surface.head; link !== undefined; link = link.next) orders.push(link.order)
        expect(orders).toEqual([...new Set(orders)].sort((a, b) => a - b))
      }),
    )
  })

  it('refuses a range with an end that is not there, or backwards, and stays as it was', () => {
    const surface = new Surface()
    for (const seq of [0, 1, 2]) surface.apply(seq, 'append')
    surface.apply(3, { op: 'replace', start: 0, end: 1 })
    expect(surface.nodes).toEqual([3, 2])
    expect(expectError('SURFACE_CONFLICT', () => surface.apply(4, { op: 'replace', start: 0, end: 2 })).path).toBe(
      'surfaceOp.start',
    )
    expect(expectError('SURFACE_CONFLICT', () => surface.apply(4, { op: 'replace', start: 3, end: 9 })).path).toBe(
      'surfaceOp.end',
    )
    expectError('SURFACE_CONFLICT', () => surface.apply(4, { op: 'replace', start: 2, end: 3 }))
    expect(surface.nodes).toEqual([3, 2])
    expect(surface.replaceGeneration).toBe(1)
  })

  it('gives the same frozen list of nodes until it changes', () => {
    const session = new Session('s')
    appendStep(session, { type: 'user/message', data: message('a'), intent: { surfaceOp: 'append' } })
    const { nodes } = session.surface
    expect(session.surface.nodes).toBe(nodes)
    expect(Object.isFrozen(nodes)).toBe(true)
    appendStep(session, { type: 'user/message', data: message('b'), intent: { surfaceOp: 'append' } })
    expect(nodes).toEqual([0])
    expect(session.surface.nodes).toEqual([0, 1])
  })
})

function message(text: string) {
  return { id: text, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] }
}
