import { forkSession, Session, sessionId } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendStep, naiveEvents, steps, user } from './support/events.js'
import { expectError } from './support/expect-error.js'

const append = { surfaceOp: 'append' } as const

function turns(count: number): Session {
  const header = { version: 1, id: sessionId('parent'), createdAt: 1, cwd: '/work', delegationDepth: 2 }
  const session = new Session('parent', [], header)
  for (let turn = 1; turn <= count; turn++) {
    session.append('turn/start', { turn, trigger: { kind: 'message', source: { kind: 'user' } } })
    session.append('user/message', user(`turn ${turn}`), append)
    session.append('turn/end', { turn, reason: { kind: 'completed' } })
  }
  return session
}

describe('forkSession', () => {
  it('inherits everything, shares the events and remembers where it came from', () => {
    const parent = turns(2)
    const child = forkSession(parent, { id: 'child', createdAt: 7 })
    expect(child.header).toEqual({
      version: 1,
      id: 'child',
      createdAt: 7,
      cwd: '/work',
      parentSession: 'parent',
      seedLength: 6,
      delegationDepth: 2,
    })
    expect([child.seq, child.firstLiveSeq]).toEqual([6, 6])
    for (const [seq, event] of parent.events.entries()) expect(child.eventAt(seq)).toBe(event)
    expect(child.deriveMessages()[1]).toBe(parent.deriveMessages()[1])
  })

  it('lets both go on alone', () => {
    const parent = turns(2)
    const child = forkSession(parent, { id: 'child', boundary: 2 })
    parent.append('user/message', user('for the parent'), append)
    child.append('user/message', user('for the child'), append)
    expect(child.deriveMessages()).toEqual([user('turn 1'), user('for the child')])
    expect(parent.deriveMessages()).toEqual([user('turn 1'), user('turn 2'), user('for the parent')])
  })

  it('takes any boundary between turns and none within one', () => {
    const parent = turns(2)
    parent.append('user/message', user('idle'), append)
    for (const boundary of [2, 5, 6]) expect(forkSession(parent, { id: 'c', boundary }).seq).toBe(boundary + 1)
    for (const boundary of [0, 1, 3, 4]) {
      const error = expectError('OPEN_TURN', () => forkSession(parent, { id: 'c', boundary }))
      expect(error).toMatchObject({ session: 'parent', seq: boundary })
    }
    parent.append('turn/start', { turn: 3, trigger: { kind: 'retry' } })
    expectError('OPEN_TURN', () => forkSession(parent, { id: 'c' }))
    expect(forkSession(parent, { id: 'c', boundary: 6 }).seq).toBe(7)
  })

  it('of an empty session is an empty session', () => {
    const child = forkSession(new Session('parent'), { id: 'child' })
    expect([child.seq, child.header.seedLength, child.header.parentSession]).toEqual([0, 0, 'parent'])
    expectError('INVALID_BOUNDARY', () => forkSession(new Session('parent'), { id: 'child', boundary: 0 }))
  })

  it.each([-1, 6, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses the boundary %d', boundary => {
    expectError('INVALID_BOUNDARY', () => forkSession(turns(2), { id: 'c', boundary }))
  })

  it('equals a session seeded with the same events, whatever happens afterwards', () => {
    const closed = steps.map(list => list.filter(step => !step.type.startsWith('turn/')))
    fc.assert(
      fc.property(closed, closed, (before, after) => {
        // Filtering moves the seqs, so only what does not cite any is of use.
        const [inherited, added] = [before, after].map(list =>
          list.filter(step => !step.intent?.sourceEventSeqs?.length),
        )
        const parent = new Session('parent', naiveEvents(inherited!))
        const child = forkSession(parent, { id: 'child' })
        const twin = new Session('twin', naiveEvents(inherited!))
        for (const step of added!) for (const session of [child, twin]) appendStep(session, step)
        expect(child.events.map(event => ({ ...event, time: 0 }))).toEqual(
          twin.events.map(event => ({ ...event, time: 0 })),
        )
        expect(child.surface.nodes).toEqual(twin.surface.nodes)
        expect(parent.seq).toBe(inherited!.length)
      }),
      { numRuns: 100 },
    )
  })

  it('can be forked again, with only its own parent remembered', () => {
    const child = forkSession(turns(2), { id: 'child', boundary: 2 })
    const grandchild = forkSession(child, { id: 'grandchild' })
    expect(grandchild.header).toMatchObject({ parentSession: 'child', seedLength: 3 })
  })

  it('refuses an empty id', () => {
    expectError('INVALID_EVENT', () => forkSession(turns(1), { id: '' }))
  })
})
