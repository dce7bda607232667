import { recordTurn, Session } from '@dsh/session'
import { attachHost } from '@dsh/session/host'
import { findViolations } from '@dsh/session-invariant'
import { describe, expect, it } from 'vitest'
import { recordHook } from '../src/index.js'
import { hookRules } from '../src/invariant.js'

const hook = { turn: 1, point: 'PreToolUse', handlerId: 'h' }

function inTurn() {
  const session = new Session('s')
  recordTurn(session)
  return session
}

describe('recordHook', () => {
  it('puts the run between its two events and passes the outcome on', async () => {
    const session = inTurn()
    const outcome = await recordHook(session, { ...hook, matcher: 'bash' }, async () => {
      expect(session.eventAt(1)).toMatchObject({ type: 'hook/invoked', data: { ...hook, matcher: 'bash' } })
      return { decision: 'block', exitCode: 2, stderrSummary: 'no', note: 'mine' } as const
    })
    expect(outcome.note).toBe('mine')
    const { data } = session.eventAt(2)
    expect(data).toEqual({
      ...hook,
      decision: 'block',
      exitCode: 2,
      stderrSummary: 'no',
      durationMs: expect.any(Number),
    })
    expect(findViolations(session, hookRules)).toEqual([])
  })

  it('keeps overlapping runs of one handler apart by number', async () => {
    const session = inTurn()
    await Promise.all([1, 2, 3].map(() => recordHook(session, hook, async () => ({ decision: 'pass' as const }))))
    expect(findViolations(session, hookRules)).toEqual([])
    expect(session.seq).toBe(7)
  })

  it('records a hook that throws as failed, and throws', async () => {
    const session = inTurn()
    const error = new Error('x'.repeat(9_000))
    await expect(recordHook(session, hook, () => Promise.reject(error))).rejects.toBe(error)
    expect(session.eventAt(2).data).toMatchObject({ decision: 'failed', stderrSummary: `Error: ${'x'.repeat(493)}` })
  })

  it('passes on what the hook threw when that has no text, or cannot be recorded', async () => {
    const session = inTurn()
    const textless = Object.create(null)
    await expect(recordHook(session, hook, () => Promise.reject(textless))).rejects.toBe(textless)
    expect(session.eventAt(2).data).toMatchObject({ decision: 'failed', stderrSummary: 'an error without a text' })

    const error = new Error('of the hook')
    const run = recordHook(session, hook, () => {
      attachHost(session, {
        admit() {
          throw new Error('veto')
        },
      })
      throw error
    })
    await expect(run).rejects.toBe(error)
    expect(session.seq).toBe(4)
  })
})
