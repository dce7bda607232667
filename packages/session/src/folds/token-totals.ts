import { addUsage, type TokenUsage } from '@dsh/llm'
import type { SessionEvent } from '../event.js'
import type { FoldDefinition } from '../fold.js'
import type { SessionView } from '../session-view.js'
import { payloadField } from './payload.js'
import {
  type CallUsage,
  endAttempt,
  endStep,
  merged,
  noStep,
  readUsage,
  type StepUsage,
  type StepUsageChange,
  takeChunk,
  takeMessage,
} from './step-usage.js'

/** Tokens of the model calls of a log. No count ever falls as the log grows. */
export interface TokenTotals {
  /** Model calls that reported a usage, failed attempts and compactions included. */
  readonly calls: number
  /** `inherited` and `own` together. */
  readonly total: TokenUsage
  /** Of the events below the boundary: what a fork took over, and its source counts already. */
  readonly inherited: TokenUsage
  /** Of the events from the boundary on. */
  readonly own: TokenUsage
}

interface State extends TokenTotals {
  /** The totals of the calls that are over. */
  readonly settled: TokenTotals
  readonly step: StepUsage
}

const none: TokenUsage = Object.freeze({ inputTokens: 0, outputTokens: 0 })
const nothing: TokenTotals = { calls: 0, total: none, inherited: none, own: none }

const types = [
  'turn/start',
  'turn/end',
  'step/start',
  'step/end',
  'assistant/chunk',
  'assistant/message',
  'llm/retry',
  'compact/summary',
]

const definitions = new Map<number, FoldDefinition<TokenTotals>>()

/**
 * The token totals with the events below `boundary` told apart, for `session.fold`; the same definition for the same
 * boundary. A call is counted from its first report on: by the usage chunks of its step, or by the usage of its message
 * when no chunk reported any. Failed attempts have chunks only. Summaries of a compaction (`compact/summary`) carry the
 * usage of their own call. What a rewrite takes off the surface stays counted.
 */
export function tokenTotalsFrom(boundary: number): FoldDefinition<TokenTotals> {
  const known = definitions.get(boundary)
  if (known !== undefined) return known
  const definition: FoldDefinition<State> = {
    initial: () => ({ ...nothing, settled: nothing, step: noStep }),
    types,
    deltas: false,
    apply(state, event) {
      const { step, ended } = change(state.step, event)
      if (step === state.step && ended.length === 0) return state
      const settled = ended.reduce((totals, call) => add(totals, call, boundary), state.settled)
      return { ...merged(step.call).reduce((totals, call) => add(totals, call, boundary), settled), settled, step }
    },
  }
  definitions.set(boundary, definition)
  return definition
}

/** The token totals of a log that was not forked: everything is its own. */
export const tokenTotals: FoldDefinition<TokenTotals> = tokenTotalsFrom(0)

/** The token totals of a session, with what it inherited through a fork told apart. */
export function sessionTokenTotals(view: SessionView): TokenTotals {
  return view.fold(tokenTotalsFrom(view.header.seedLength ?? 0))
}

function change(step: StepUsage, event: SessionEvent): StepUsageChange {
  switch (event.type as string) {
    case 'assistant/chunk':
      return takeChunk(step, event as SessionEvent<'assistant/chunk'>)
    case 'assistant/message': {
      const message = event as SessionEvent<'assistant/message'>
      return message.surfaceOp === 'append' ? takeMessage(step, message) : { step, ended: [] }
    }
    case 'turn/start':
    case 'turn/end':
    case 'step/start':
    case 'step/end':
      return endStep(step)
    case 'llm/retry':
      return endAttempt(step)
    case 'compact/summary': {
      const usage = readUsage(payloadField(event.data, 'usage'))
      return { step, ended: usage === undefined ? [] : [{ seq: event.seq, usage }] }
    }
    default:
      return { step, ended: [] }
  }
}

function add(totals: TokenTotals, { seq, usage }: CallUsage, boundary: number): TokenTotals {
  const side = seq < boundary ? 'inherited' : 'own'
  return {
    calls: totals.calls + 1,
    total: addUsage(totals.total, usage),
    inherited: totals.inherited,
    own: totals.own,
    [side]: addUsage(totals[side], usage),
  }
}
