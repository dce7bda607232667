import { isSurfaceEligibleType, Session } from '@dsh/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAcceptable } from '../../../src/readers/event-log/acceptable.js'

const block = fc.constantFrom(
  { type: 'text', text: 'a' },
  { type: 'text' },
  { type: 'tool-call', id: 'c', name: 'n', arguments: '{}' },
  { type: 'tool-call', id: '', name: 'n', arguments: '{}' },
  { type: 'tool-result', toolCallId: 'c', content: [] },
  { type: 'tool-result', toolCallId: 'c', content: [5] },
  { type: 'novel' },
  {},
  null,
)
const source = fc.constantFrom(
  { kind: 'user' },
  { kind: 'model', provider: 'p', model: 'm' },
  { kind: 'model', provider: '' },
  { kind: 'tool', callId: 'c' },
  {},
  null,
)
const message = fc.record(
  {
    id: fc.constantFrom('i', '', 5),
    role: fc.constantFrom('user', 'assistant', 'x'),
    source,
    content: fc.oneof(fc.array(block, { maxLength: 2 }), fc.constant('x')),
  },
  { requiredKeys: [] },
)
const header = fc.record(
  {
    header: fc.record(
      {
        config: fc.constantFrom({ provider: 'p', model: 'm' }, { model: 'm' }, null),
        system: fc.constantFrom('s', 5),
        tools: fc.constantFrom([], 'x'),
      },
      { requiredKeys: [] },
    ),
    reason: fc.constantFrom('initial', 'resume', 'change', 'fallback', null),
  },
  { requiredKeys: [] },
)
const event = fc.oneof(
  fc.record({ type: fc.constant('user/message'), data: message }),
  fc.record({
    type: fc.constantFrom('assistant/message', 'tool/result', 'steering/message'),
    data: fc.record({ message }),
  }),
  fc.record({ type: fc.constant('request/header'), data: header }),
  fc.record({
    type: fc.constantFrom('turn/start', 'a/b', '/a', 'a/', 'bare', '', 'request/header-delta', 'assistant/message'),
    // A number that was read from JSON is never -0: the parser keeps its digits.
    data: fc.jsonValue().map(value => JSON.parse(JSON.stringify(value))),
  }),
)

describe('isAcceptable', () => {
  it('says of every event what the log does with it', () => {
    fc.assert(
      fc.property(event, ({ type, data }) => {
        const marker = isSurfaceEligibleType(type) ? { surfaceOp: 'append' } : {}
        let isTaken = true
        try {
          new Session('s', [{ type, seq: 0, time: 0, ...marker, data }] as never)
        } catch {
          isTaken = false
        }
        expect(isAcceptable(type, data as never)).toBe(isTaken)
      }),
      { numRuns: 3_000 },
    )
  })
})
