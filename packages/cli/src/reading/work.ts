import { addUsage, type TokenUsage } from '@dsh/llm'
import type { FoldDefinition, SessionEvent, TokenTotals } from '@dsh/session'
import { tokenTotalsFrom } from '@dsh/session'
import { describeRoute } from '../printing/summary.js'
import { subtract } from './course.js'
import { field, textField } from './payload.js'

/** What became of the calls of one tool. */
export interface ToolWork {
  readonly calls: number
  /** Results that are errors. */
  readonly errors: number
  /** Milliseconds from calls to their results. */
  readonly time: number
}

/** What was done in a session, without what it inherited. */
export interface Work {
  readonly turns: number
  /** Model calls that reported a usage. */
  readonly calls: number
  readonly tokens: TokenUsage
  /** Tokens by `provider/model`. */
  readonly routes: ReadonlyMap<string, TokenUsage>
  readonly tools: ReadonlyMap<string, ToolWork>
}

interface OpenCall {
  readonly name: string
  readonly time: number
}

interface State {
  readonly totals: TokenTotals
  readonly inheritedCalls: number
  /** The model of the request header in force. */
  readonly route: string
  readonly turns: number
  readonly routes: ReadonlyMap<string, TokenUsage>
  readonly tools: ReadonlyMap<string, ToolWork>
  readonly openCalls: ReadonlyMap<string, OpenCall>
}

/** What is told of a session by {@link workFrom}. */
export function workOf({ totals, inheritedCalls, turns, routes, tools }: State): Work {
  return { turns, calls: totals.calls - inheritedCalls, tokens: totals.own, routes, tools }
}

/** The fold that adds up the work behind `boundary`, for {@link workOf}. */
export function workFrom(boundary: number): FoldDefinition<State> {
  const totalsFold = tokenTotalsFrom(boundary)
  return {
    initial: () => ({
      totals: totalsFold.initial(),
      inheritedCalls: 0,
      route: 'unknown',
      turns: 0,
      routes: new Map(),
      tools: new Map(),
      openCalls: new Map(),
    }),
    types: [...new Set([...(totalsFold.types ?? []), 'request/header', 'tool/call', 'tool/result'])],
    deltas: false,
    apply(before, event) {
      const state = addTokens(before, totalsFold.apply(before.totals, event), event)
      if (event.type === 'request/header') {
        return { ...state, route: describeRoute(field(event.data, 'header', 'config')) }
      }
      if (event.seq < boundary) return { ...state, inheritedCalls: state.totals.calls }
      if (event.type === 'turn/start') return { ...state, turns: state.turns + 1 }
      if (event.type === 'tool/call') return startCall(state, event)
      return event.type === 'tool/result' && event.surfaceOp === 'append' ? endCall(state, event) : state
    },
  }
}

function addTokens(state: State, totals: TokenTotals, event: SessionEvent): State {
  if (totals === state.totals) return state
  const added = subtract(totals.own, state.totals.own)
  if (Object.values(added).every(count => count === 0)) return { ...state, totals }
  const own = event.type === 'assistant/message' ? describeRoute(event.data.message.source) : state.route
  return { ...state, totals, routes: addToRoute(state.routes, own, added) }
}

/** The tokens by model with some more of one. */
export function addToRoute(
  routes: ReadonlyMap<string, TokenUsage>,
  route: string,
  usage: TokenUsage,
): ReadonlyMap<string, TokenUsage> {
  const known = routes.get(route)
  return new Map(routes).set(route, known === undefined ? usage : addUsage(known, usage))
}

function startCall(state: State, { data, time }: SessionEvent<'tool/call'>): State {
  const name = textField(data, 'name')
  const { calls, errors, time: spent } = state.tools.get(name) ?? { calls: 0, errors: 0, time: 0 }
  return {
    ...state,
    tools: new Map(state.tools).set(name, { calls: calls + 1, errors, time: spent }),
    openCalls: new Map(state.openCalls).set(textField(data, 'callId'), { name, time }),
  }
}

function endCall(state: State, { data, time }: SessionEvent<'tool/result'>): State {
  const { toolCallId, isError } = data.message.content[0]
  const call = state.openCalls.get(toolCallId)
  if (call === undefined) return state
  const { calls, errors, time: spent } = state.tools.get(call.name)!
  const openCalls = new Map(state.openCalls)
  openCalls.delete(toolCallId)
  const work = { calls, errors: errors + (isError === true ? 1 : 0), time: spent + Math.max(0, time - call.time) }
  return { ...state, tools: new Map(state.tools).set(call.name, work), openCalls }
}
