import type { AssistantMessage, CallId, MessageId, ToolResultMessage, UserMessage } from '@dsh/llm'
import type { SessionEvent, SurfaceOp } from '@dsh/session'
import fc from 'fast-check'

/** Loose parts of events, for tests that also need wrong ones. */
export function user(text: string, id = `u-${text}`): UserMessage {
  return { id: id as MessageId, role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] }
}

export function assistant(text: string, calls: readonly string[] = []): AssistantMessage {
  return {
    id: `a-${text}` as MessageId,
    role: 'assistant',
    source: { kind: 'model', provider: 'p', model: 'm' },
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(id => ({ type: 'tool-call' as const, id: id as CallId, name: 'tool', arguments: '{}' })),
    ],
  }
}

export function result(callId: string, text: string, isError?: boolean): ToolResultMessage {
  const block = {
    type: 'tool-result' as const,
    toolCallId: callId as CallId,
    content: [{ type: 'text' as const, text }],
  }
  return {
    id: `r-${callId}-${text}` as MessageId,
    role: 'user',
    source: { kind: 'tool', callId: callId as CallId },
    content: [isError === undefined ? block : { ...block, isError }],
  }
}

/** One append, as a plain description that a model can replay. */
export interface Step {
  readonly type: string
  readonly data: unknown
  readonly intent?: { surfaceOp: SurfaceOp; sourceEventSeqs?: number[] }
}

type Plan =
  | { kind: 'delta'; text: string }
  | { kind: 'fact'; value: string }
  | { kind: 'user' | 'steer'; text: string }
  | { kind: 'assistant'; text: string; sources: number }
  | { kind: 'replace'; from: number; to: number; text: string }
  | { kind: 'turn'; open: boolean }

const text = fc.string({ unit: 'binary', maxLength: 6 })
const plan: fc.Arbitrary<Plan> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delta' as const), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fact' as const), value: text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('user' as const, 'steer' as const), text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('assistant' as const), text, sources: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('replace' as const), from: fc.nat(9), to: fc.nat(9), text }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('turn' as const), open: fc.boolean() }) },
)

/** Random lists of appends that the log accepts, with deltas, unknown facts, messages and replacements. */
export const steps: fc.Arbitrary<Step[]> = fc.array(plan, { maxLength: 40 }).map(plans => {
  const out: Step[] = []
  let surface: number[] = []
  for (const item of plans) {
    const seq = out.length
    switch (item.kind) {
      case 'delta':
        out.push({
          type: 'assistant/chunk',
          data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: item.text } },
        })
        break
      case 'fact':
        out.push({ type: 'test/fact', data: { value: item.value } })
        break
      case 'user':
        out.push({ type: 'user/message', data: user(item.text), intent: { surfaceOp: 'append' } })
        surface.push(seq)
        break
      case 'steer':
        out.push({
          type: 'steering/message',
          data: { turn: 1, message: user(item.text) },
          intent: { surfaceOp: 'append' },
        })
        surface.push(seq)
        break
      case 'assistant': {
        const sourceEventSeqs = Array.from({ length: Math.min(item.sources, seq) }, (_, index) => index)
        out.push({
          type: 'assistant/message',
          data: { turn: 1, step: 1, message: assistant(item.text) },
          intent: { surfaceOp: 'append', sourceEventSeqs },
        })
        surface.push(seq)
        break
      }
      case 'replace': {
        if (surface.length === 0) break
        const a = item.from % surface.length
        const b = item.to % surface.length
        const [first, last] = a <= b ? [a, b] : [b, a]
        const shadowed = surface.slice(first, last + 1)
        out.push({
          type: 'user/message',
          data: user(`summary ${item.text}`),
          intent: {
            surfaceOp: { op: 'replace', start: shadowed[0]!, end: shadowed.at(-1)! },
            sourceEventSeqs: [...shadowed].sort((x, y) => x - y),
          },
        })
        surface = [...surface.slice(0, first), seq, ...surface.slice(last + 1)]
        break
      }
      case 'turn':
        out.push(
          item.open
            ? { type: 'turn/start', data: { turn: 1, trigger: { kind: 'retry' } } }
            : { type: 'turn/end', data: { turn: 1, reason: { kind: 'completed' } } },
        )
    }
  }
  return out
})

/** Appends one step to anything that appends. */
export function appendStep(session: { append(...args: never[]): SessionEvent }, step: Step): SessionEvent {
  const append = session.append as unknown as (type: string, data: unknown, intent?: unknown) => SessionEvent
  return append.call(session, step.type, step.data, step.intent)
}

/** The events that a list of appends gives, made without the log: seq by position, all at time 5. */
export function naiveEvents(list: readonly Step[]): SessionEvent[] {
  return list.map((step, seq) => ({
    type: step.type,
    seq,
    time: 5,
    ...step.intent,
    data: structuredClone(step.data),
  })) as SessionEvent[]
}

/** The surface of a list of events by the plainest means: an array and `splice`. */
export function naiveSurface(events: readonly SessionEvent[]): number[] {
  const nodes: number[] = []
  for (const event of events) {
    if (!('surfaceOp' in event)) continue
    const { surfaceOp } = event
    if (surfaceOp === 'append') nodes.push(event.seq)
    else {
      const from = nodes.indexOf(surfaceOp.start)
      nodes.splice(from, nodes.indexOf(surfaceOp.end) - from + 1, event.seq)
    }
  }
  return nodes
}
