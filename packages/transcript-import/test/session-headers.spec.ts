import type { SessionOrigin } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import type { SessionPlan } from '../src/readers/reader.js'
import { isAbsolutePath, SessionHeaders } from '../src/session-headers.js'

const plan = (key: string, more: Partial<SessionPlan> = {}): SessionPlan => ({
  key,
  role: key === 'main' ? 'live' : key.startsWith('branch') ? 'branch' : 'subagent',
  includes: () => true,
  open: () => {
    throw new Error('not opened here')
  },
  ...more,
})
const fork = { from: 'main', liveOnlyFrom: 0, ownFrom: 0 }

describe('SessionHeaders', () => {
  it('names sessions after what the source calls them, branches after the live one', () => {
    const plans = [
      plan('main', { sourceId: 's' }),
      plan('branch-1', { fork }),
      plan('agent-1', { delegatedBy: 'main' }),
      plan('agent-2', { sourceId: 'a', delegatedBy: 'main' }),
    ]
    const headers = new SessionHeaders('pi', plans, {}, new Set())
    expect(plans.map(each => headers.of(each).id)).toEqual(['s', 's/branch-1', 's/agent-1', 'a'])
    expect(headers.of(plans[1]!, 5)).toMatchObject({ parentSession: 's', seedLength: 5 })
    expect(headers.of(plans[2]!)).toMatchObject({ parentSession: 's' })
  })

  it('gives a session without a name a random one', () => {
    const ids = [0, 1].map(() => new SessionHeaders('openai', [plan('main')], {}, new Set()).of(plan('main')).id)
    expect(new Set(ids).size).toBe(2)
  })

  it('asks the caller for every id, that of a parent in another file too', () => {
    const asked: SessionOrigin[] = []
    const sessionId = (origin: SessionOrigin) => {
      asked.push(origin)
      return `${origin.role} ${origin.sourceId ?? origin.key}`
    }
    const main = plan('main', { sourceId: 's', parentId: 'p' })
    const header = new SessionHeaders('codex', [main], { sessionId }, new Set()).of(main)
    expect(header).toMatchObject({ id: 'live s', parentSession: 'parent p' })
    expect(asked).toEqual([
      { format: 'codex', role: 'live', key: 'main', sourceId: 's' },
      { format: 'codex', role: 'parent', key: 'parent', sourceId: 'p' },
    ])
  })

  it('never gives an id twice, and makes no session its own parent', () => {
    const taken = new Set<string>()
    const ids = [0, 1, 2].map(
      () => new SessionHeaders('pi', [plan('main', { sourceId: 's' })], {}, taken).of(plan('main')).id,
    )
    expect(ids).toEqual(['s', 's/2', 's/3'])
    const own = plan('main', { sourceId: 's', parentId: 's' })
    expect(new SessionHeaders('pi', [own], {}, new Set()).of(own).parentSession).toBeUndefined()
  })

  it('takes the creation time that the source tells, else its first time, else that of the caller', () => {
    const created = (facts: Partial<SessionPlan>, time?: number) => {
      const main = plan('main', facts)
      return new SessionHeaders('pi', [main], time === undefined ? {} : { time }, new Set()).of(main).createdAt
    }
    expect(created({ createdAt: 1, startTime: 2 }, 3)).toBe(1)
    expect(created({ startTime: 2 }, 3)).toBe(2)
    expect(created({}, 3)).toBe(3)
  })

  it('takes a directory only where it is absolute', () => {
    const directory = (cwd: string) =>
      new SessionHeaders('pi', [plan('main')], {}, new Set()).of(plan('main', { cwd })).cwd
    expect([directory('/w'), directory('C:\\w'), directory('w'), directory('{{cwd}}')]).toEqual([
      '/w',
      'C:\\w',
      undefined,
      undefined,
    ])
    expect(isAbsolutePath(undefined)).toBe(false)
  })
})
