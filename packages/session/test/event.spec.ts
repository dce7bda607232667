import type { JsonValue } from '@dsh/llm'
import { Session, type SessionEvent, type SurfaceIntent } from '@dsh/session'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { assistant, user } from './support/events.js'

declare module '@dsh/session' {
  interface SessionEventMap {
    'test/merged': { readonly value: number }
  }
}

// Never run: the compiler checks these, and a call that compiles although it must not is an error there.
export function calls(session: Session): void {
  const append: SurfaceIntent = { surfaceOp: 'append' }
  session.append('user/message', user('a'), append)
  session.append('turn/start', { turn: 1, trigger: { kind: 'retry' } })
  session.append('test/merged', { value: 1 })
  // @ts-expect-error a message must say how it enters the surface
  session.append('user/message', user('a'))
  // @ts-expect-error a log-only event cannot enter the surface
  session.append('turn/start', { turn: 1, trigger: { kind: 'retry' } }, append)
  // @ts-expect-error nor can a chunk
  session.append('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'usage', usage: {} } }, append)
  // @ts-expect-error nor can a plugin's event
  session.append('test/merged', { value: 1 }, append)
  // @ts-expect-error a payload has its shape
  session.append('test/merged', { value: 'one' })
  // @ts-expect-error nobody declared this type
  session.append('test/unknown', {})
  // @ts-expect-error an assistant message comes from a model
  session.append('assistant/message', { turn: 1, step: 1, message: user('a') }, append)
  // @ts-expect-error a replacement names both ends
  session.append('user/message', user('a'), { surfaceOp: { op: 'replace', start: 1 } })
  const event = session.append('assistant/message', { turn: 1, step: 1, message: assistant('a') }, append)
  // @ts-expect-error the log is read-only
  event.data.message.content.push({ type: 'text', text: '' })
  // @ts-expect-error and so is its snapshot
  session.events.push(event)
  // @ts-expect-error views cannot be made directly
  session.at(0).append('turn/end', { turn: 1, reason: { kind: 'completed' } })
}

describe('SessionEvent', () => {
  it('narrows by its type', () => {
    const event = new Session('s').append('todo/write', { todos: [] }) as SessionEvent
    if (event.type === 'todo/write') expectTypeOf(event.data.todos).items.toHaveProperty('status')
    if (event.type === 'user/message') expectTypeOf(event.surfaceOp).not.toBeNever()
    if (event.type === 'turn/start') expectTypeOf(event).not.toHaveProperty('surfaceOp')
    expect(event.type).toBe('todo/write')
  })

  it('carries payloads that are JSON', () => {
    expectTypeOf<SessionEvent<'tool/result'>['data']['meta']>().toEqualTypeOf<JsonValue | undefined>()
    expectTypeOf<SessionEvent<'test/merged'>['data']>().toEqualTypeOf<{ readonly value: number }>()
  })
})
