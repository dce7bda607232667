import type { CallId, ContentBlock, MessageId } from '@dsh/llm'
import { Session } from '@dsh/session'
import { findViolations } from '@dsh/session-invariant'
import { expect } from 'vitest'
import { LogWriter } from '../../src/log/log-writer.js'
import { TurnBuilder } from '../../src/turn/turn-builder.js'
import { brief } from './brief.js'

/** Parts of answers. */
export const said = (text: string): ContentBlock => ({ type: 'text', text })
export const call = (id: string): ContentBlock => ({
  type: 'tool-call',
  id: id as CallId,
  name: 'read',
  arguments: '{}',
})
export const stamp = (id: string, time = 1) => ({ id: id as MessageId, time })
export const answer = (...content: ContentBlock[]) => ({ content, provider: 'p', model: 'm' })
export const plugin = { kind: 'plugin' as const, plugin: 'tool' }

/** A builder with shorthands, and the log that it writes as lines. Every log has to be valid and to keep the rules. */
export class Turns {
  readonly writer = new LogWriter('codex', 0)
  readonly turns: TurnBuilder
  /** The calls that are going to be answered. */
  readonly coming = new Set<string>()
  #count = 0

  constructor() {
    this.turns = new TurnBuilder(this.writer, { willAnswer: callId => this.coming.has(callId) })
  }

  prompt(text: string): this {
    this.turns.prompt([said(text)], this.#stamp())
    return this
  }

  inject(text: string): this {
    this.turns.inject([said(text)], this.#stamp(), plugin)
    return this
  }

  steer(text: string): this {
    this.turns.steer([said(text)], this.#stamp())
    return this
  }

  answer(...content: ContentBlock[]): this {
    this.turns.answer(answer(...content), this.#stamp())
    return this
  }

  result(callId: string, text = callId): this {
    this.coming.delete(callId)
    this.turns.result({ callId, content: [said(text)] }, this.#stamp())
    return this
  }

  /** The log once everything is closed. */
  log(): string[] {
    this.turns.end()
    const session = new Session('s', this.writer.drain())
    expect(findViolations(session)).toEqual([])
    return brief(session)
  }

  #stamp() {
    return stamp(`m${this.#count++}`)
  }
}
