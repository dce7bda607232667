import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { invariantMode, newSessionId, sessionsDirectory } from '../src/settings.ts'

describe('settings', () => {
  it('keeps sessions in the directory that is worked on, unless told otherwise', () => {
    expect(sessionsDirectory({}, resolve('/work'))).toBe(join(resolve('/work'), '.dsh-sessions'))
    expect(sessionsDirectory({ DSH_SESSIONS: '' }, resolve('/work'))).toBe(join(resolve('/work'), '.dsh-sessions'))
    expect(sessionsDirectory({ DSH_SESSIONS: 'here' }, resolve('/work'))).toBe(resolve('here'))
  })

  it('enforces the rules, unless told otherwise', () => {
    expect(invariantMode({})).toBe('throw')
    expect(invariantMode({ DSH_INVARIANTS: 'off' })).toBe('off')
    expect(() => invariantMode({ DSH_INVARIANTS: 'on' })).toThrow(
      'DSH_INVARIANTS: expected throw, report or off, found "on"',
    )
  })

  it('makes ids that sort by time', () => {
    const id = newSessionId('chat', new Date('2026-01-02T03:04:05.678Z'))
    expect(id).toMatch(/^chat-20260102-030405-[0-9a-z]{3}$/)
  })
})
