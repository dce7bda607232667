import type { SessionEvent } from '@dsh/session'
import { sessionId } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { CheckedLogBuilder, seedLog } from '../src/seed.js'
import { naiveEvents, user } from './support/events.js'
import { expectError } from './support/expect-error.js'

const events = naiveEvents([
  { type: 'user/message', data: user('a'), intent: { surfaceOp: 'append' } },
  { type: 'a/b', data: 1 },
])

describe('CheckedLogBuilder', () => {
  it('stops at the first event it refuses, with what came before in place', () => {
    const builder = new CheckedLogBuilder()
    builder.add(events[0])
    expectError('INVALID_EVENT', () => builder.add(events[0]))
    builder.add(events[1])
    expect(builder.log.snapshot()).toEqual(events)
  })
})

describe('seedLog', () => {
  it('is empty without a seed', () => {
    expect(seedLog(undefined, sessionId('s')).length).toBe(0)
  })

  it('names the session and the seq of what it refuses', () => {
    const broken = [events[0], { ...events[1], seq: 5 }] as SessionEvent[]
    expect(expectError('INVALID_EVENT', () => seedLog(broken, sessionId('s')))).toMatchObject({ session: 's', seq: 1 })
  })
})
