import { addUsage, type TokenUsage, totalTokens } from '@dsh/llm'
import type { SessionListing } from '@dsh/persistence'
import type { SessionView } from '@dsh/session'
import { isoTime } from '../format/time.js'
import { addToRoute, type ToolWork, type Work, workFrom, workOf } from './work.js'

/** The sum over some sessions. What a fork took over counts once, with the session where it happened. */
export class Totals {
  readonly states = { ok: 0, unfinished: 0, corrupt: 0 }
  readonly tools = new Map<string, ToolWork>()
  readonly types = new Map<string, number>()
  routes: ReadonlyMap<string, TokenUsage> = new Map()
  /** Bytes in storage; undefined where the backend does not know. */
  bytes: number | undefined
  events = 0
  firstTime: number | undefined
  lastTime: number | undefined
  turns = 0
  /** Model calls that reported a usage. */
  calls = 0
  tokens: TokenUsage = { inputTokens: 0, outputTokens: 0 }

  get sessions(): number {
    return this.states.ok + this.states.unfinished + this.states.corrupt
  }

  /** Adds a session that can be read. */
  add(entry: SessionListing, view: SessionView): void {
    const boundary = view.header.seedLength ?? 0
    this.addUnread(entry)
    this.events += view.seq - boundary
    this.firstTime = Math.min(this.firstTime ?? Number.POSITIVE_INFINITY, view.header.createdAt)
    this.lastTime = Math.max(this.lastTime ?? Number.NEGATIVE_INFINITY, entry.lastTime)
    this.#addWork(workOf(view.fold(workFrom(boundary))))
  }

  /** Adds a session that cannot be read. */
  addUnread({ state, bytes }: SessionListing): void {
    this.states[state]++
    if (bytes !== undefined) this.bytes = (this.bytes ?? 0) + bytes
  }

  /** Counts the events of a session by type. */
  addTypes(view: SessionView): void {
    for (const { type } of view.iterate(view.header.seedLength)) {
      this.types.set(type, (this.types.get(type) ?? 0) + 1)
    }
  }

  /** The models by tokens, most first. */
  get byTokens(): [model: string, usage: TokenUsage][] {
    return [...this.routes].sort(([, a], [, b]) => totalTokens(b) - totalTokens(a))
  }

  /** The tools by calls, most first. */
  get byCalls(): [tool: string, work: ToolWork][] {
    return [...this.tools].sort(([, a], [, b]) => b.calls - a.calls)
  }

  /** The event types by number, most first. */
  get byNumber(): [type: string, events: number][] {
    return [...this.types].sort(([, a], [, b]) => b - a)
  }

  toJSON(): Record<string, unknown> {
    const { states, bytes, events, firstTime, lastTime, turns, calls, tokens } = this
    return {
      sessions: states,
      bytes,
      events,
      firstTime: firstTime === undefined ? undefined : isoTime(firstTime),
      lastTime: lastTime === undefined ? undefined : isoTime(lastTime),
      turns,
      calls,
      tokens,
      models: this.byTokens.map(([model, tokens]) => ({ model, tokens })),
      tools: this.byCalls.map(([tool, { time, ...counts }]) => ({ tool, ...counts, milliseconds: time })),
      ...(this.types.size > 0 && { types: this.byNumber.map(([type, events]) => ({ type, events })) }),
    }
  }

  #addWork({ turns, calls, tokens, routes, tools }: Work): void {
    this.turns += turns
    this.calls += calls
    this.tokens = addUsage(this.tokens, tokens)
    for (const [route, usage] of routes) this.routes = addToRoute(this.routes, route, usage)
    for (const [name, work] of tools) {
      const { calls, errors, time } = this.tools.get(name) ?? { calls: 0, errors: 0, time: 0 }
      this.tools.set(name, { calls: calls + work.calls, errors: errors + work.errors, time: time + work.time })
    }
  }
}
