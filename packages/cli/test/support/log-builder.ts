import type { AssistantMessage, CallId, ContentBlock, MessageId, TokenUsage } from '@dsh/llm'
import type { SessionEvent, SurfaceOp } from '@dsh/session'

/** 2026-01-15 09:30:00 in UTC. */
export const START = Date.UTC(2026, 0, 15, 9, 30)

/** Builds the events of a log with times of its own, as a harness would append them. */
export class LogBuilder {
  readonly events: SessionEvent[]
  time: number
  #turn: number
  #step = 0

  /** @param seed events to go on from, whole turns */
  constructor(seed: readonly SessionEvent[] = [], time = START) {
    this.events = [...seed]
    this.time = time
    this.#turn = seed.filter(({ type }) => type === 'turn/start').length
  }

  /** Lets time pass. */
  wait(milliseconds: number): this {
    this.time += milliseconds
    return this
  }

  add(type: string, data: unknown, surface: object = {}): this {
    this.events.push({ type, seq: this.events.length, time: this.time, ...surface, data } as SessionEvent)
    return this
  }

  /** A message that enters the surface. */
  message(type: string, data: unknown, surfaceOp: SurfaceOp = 'append', sourceEventSeqs?: readonly number[]): this {
    return this.add(type, data, { surfaceOp, ...(sourceEventSeqs && { sourceEventSeqs }) })
  }

  prompt(text: string): this {
    this.#turn++
    this.#step = 0
    const source = { kind: 'user' }
    return this.add('turn/start', { turn: this.#turn, trigger: { kind: 'message', source } }).message('user/message', {
      id: `u${this.events.length}`,
      role: 'user',
      source,
      content: [{ type: 'text', text }],
    })
  }

  /** An answer of the model, streamed in `chunks`, with calls of tools by name. */
  answer(text: string, options: Answer = {}): this {
    const { calls = [], usage, chunks = [], reasoning } = options
    const step = { turn: this.#turn, step: ++this.#step }
    this.add('step/start', step)
    if (this.#step === 1 && !this.events.some(({ type }) => type === 'request/header')) {
      this.add('request/header', {
        header: { config: { provider: 'acme', model: 'large-1' }, system: 'Be brief.', tools: [tool('read_file')] },
        reason: 'initial',
      })
    }
    for (const delta of chunks) {
      this.add('assistant/chunk', { ...step, chunk: { type: 'text-delta', index: 0, text: delta } }).wait(5)
    }
    this.wait(1_200)
    const content: ContentBlock[] = [
      ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ name, args = {} }, index) => ({
        type: 'tool-call' as const,
        id: this.#callId(index),
        name,
        arguments: JSON.stringify(args),
      })),
    ]
    const message: AssistantMessage = {
      id: `a${this.events.length}` as MessageId,
      role: 'assistant',
      source: { kind: 'model', provider: 'acme', model: 'large-1' },
      content,
    }
    this.message('assistant/message', { ...step, message, ...(usage && { usage }) })
    for (const [index, { name, args = {}, result, isError, took = 300 }] of calls.entries()) {
      const callId = this.#callId(index)
      this.add('tool/call', { ...step, callId, name, arguments: JSON.stringify(args) }).wait(took)
      if (result === undefined) continue
      const block = { type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text: result }] }
      this.message('tool/result', {
        ...step,
        message: {
          id: `r${this.events.length}`,
          role: 'user',
          source: { kind: 'tool', callId },
          content: [isError ? { ...block, isError } : block],
        },
      })
    }
    return this.add('step/end', step)
  }

  end(reason: object = { kind: 'completed' }): this {
    return this.add('turn/end', { turn: this.#turn, reason }).wait(60_000)
  }

  #callId(index: number): CallId {
    return `c${this.#turn}.${this.#step}.${index}` as CallId
  }
}

/** What an answer of {@link LogBuilder} consists of beside its text. */
export interface Answer {
  readonly calls?: readonly {
    readonly name: string
    readonly args?: object
    readonly result?: string
    readonly isError?: boolean
    /** Milliseconds. */
    readonly took?: number
  }[]
  readonly usage?: TokenUsage
  readonly chunks?: readonly string[]
  readonly reasoning?: string
}

function tool(name: string) {
  return { name, description: 'Reads a file.', parameters: { type: 'object' } }
}
