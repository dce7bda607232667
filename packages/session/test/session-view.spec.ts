import { type FoldDefinition, foldSurface, Session, type SessionEvent, type SessionView } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendStep, naiveEvents, steps, user } from './support/events.js'
import { expectError } from './support/expect-error.js'

const append = { surfaceOp: 'append' } as const

const types: FoldDefinition<readonly string[]> = {
  initial: () => [],
  apply: (state, event) => [...state, `${event.seq} ${event.type}`],
}
const facts: FoldDefinition<number> = {
  types: ['test/fact', 'assistant/chunk'],
  deltas: false,
  initial: () => 0,
  apply: (count, event) => {
    if (event.type === 'assistant/chunk') throw new Error('asked for no deltas')
    return count + 1
  },
}

function everything(view: SessionView) {
  return {
    events: view.events,
    seq: view.seq,
    nodes: view.surface.nodes,
    generation: view.surface.replaceGeneration,
    messages: view.deriveMessages(),
    types: view.fold(types),
    facts: view.fold(facts),
    header: view.requestHeader(),
    context: view.requestContext(),
  }
}

describe('at', () => {
  it('gives at every point what a session of that prefix gives', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (list, a) => {
        const events = naiveEvents(list)
        const session = new Session('s', events)
        const seq = a % (events.length + 1)
        expect(everything(session.at(seq))).toEqual(everything(new Session('s', events.slice(0, seq))))
      }),
      { numRuns: 150 },
    )
  })

  it('stays where it is while the session goes on', () => {
    const session = new Session('s')
    session.append('user/message', user('a'), append)
    const view = session.at(1)
    session.append('user/message', user('b'), { surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [0] })
    expect(view.deriveMessages()).toEqual([user('a')])
    expect([view.seq, view.firstLiveSeq, view.header]).toEqual([1, 0, session.header])
    expect('append' in view).toBe(false)
    expect(view.eventAt(0)).toBe(session.eventAt(0))
  })

  it('can be asked of a view again, and of no point outside', () => {
    const session = new Session('s', naiveEvents([1, 2, 3].map(data => ({ type: 'a/b', data }))))
    expect(session.at(2).at(1).events).toEqual(session.events.slice(0, 1))
    expect(session.at(2).firstLiveSeq).toBe(2)
    for (const seq of [-1, 4, 1.5, Number.NaN]) expectError('INVALID_BOUNDARY', () => session.at(seq))
    expectError('INVALID_BOUNDARY', () => session.at(2).at(3))
  })
})

describe('fold', () => {
  it('evaluated bit by bit equals a fold of the whole log', () => {
    fc.assert(
      fc.property(steps, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (list, asks) => {
        const session = new Session('s')
        list.forEach((step, index) => {
          appendStep(session, step)
          if (asks[index]) session.fold(types)
          if (asks[39 - index]) session.fold(facts)
        })
        expect(session.fold(types)).toEqual(naiveEvents(list).map(event => `${event.seq} ${event.type}`))
        expect(session.fold(facts)).toBe(list.filter(step => step.type === 'test/fact').length)
      }),
      { numRuns: 150 },
    )
  })

  it('applies each event once', () => {
    const seen: number[] = []
    const definition: FoldDefinition<number> = {
      initial: () => 0,
      apply: (count, event) => {
        seen.push(event.seq)
        return count + 1
      },
    }
    const session = new Session('s')
    for (const turn of [1, 2, 3]) {
      session.append('step/start', { turn, step: 1 })
      session.fold(definition)
      session.fold(definition)
    }
    expect(seen).toEqual([0, 1, 2])
  })

  it('whose function throws leaves no trace and can be asked again', () => {
    let broken = true
    const definition: FoldDefinition<number> = {
      initial: () => 0,
      apply: (count, event) => {
        if (broken && event.seq === 1) throw new Error('broken')
        return count + 1
      },
    }
    const session = new Session('s', naiveEvents([1, 2, 3].map(data => ({ type: 'a/b', data }))))
    expect(() => session.fold(definition)).toThrow('broken')
    broken = false
    expect(session.fold(definition)).toBe(3)
  })
})

describe('reading', () => {
  it('slices and iterates as an array would', () => {
    const session = new Session('s', naiveEvents([1, 2, 3, 4].map(data => ({ type: 'a/b', data }))))
    expect(session.slice(1, 3)).toEqual(session.events.slice(1, 3))
    expect(session.slice(2)).toEqual(session.events.slice(2))
    expect(session.slice(4)).toEqual([])
    expect([...session]).toEqual(session.events)
    expect([...session.iterate(3)]).toEqual(session.events.slice(3))
    expectError('INVALID_BOUNDARY', () => session.slice(5))
    expectError('INVALID_BOUNDARY', () => session.eventAt(4))
  })

  it('an iteration that was begun ends where the log then ended', () => {
    const session = new Session('s', naiveEvents([{ type: 'a/b', data: 1 }]))
    const seen: SessionEvent[] = []
    for (const event of session) {
      seen.push(event)
      if (seen.length < 5) session.append('step/start', { turn: 1, step: 1 })
    }
    expect(seen).toHaveLength(1)
  })

  it('gives one surface object for life, that cannot be written', () => {
    const session = new Session('s')
    const { surface } = session
    session.append('user/message', user('a'), append)
    expect(session.surface).toBe(surface)
    expect(surface.nodes).toEqual(foldSurface(session.events).nodes)
    expect(surface.node(0)).toEqual({ seq: 0, prev: null, next: null })
    expect(() => Object.assign(surface, { nodes: [] })).toThrow(TypeError)
    expect(() => (session.events as SessionEvent[]).pop()).toThrow(TypeError)
  })
})
