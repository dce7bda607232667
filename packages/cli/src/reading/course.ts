import type { TokenUsage } from '@dsh/llm'
import type { FoldDefinition, Outline, OutlineCall, OutlineTurn, SessionView, TokenTotals } from '@dsh/session'
import { outline, tokenTotals } from '@dsh/session'
import { summarise } from '../printing/summary.js'

/** What the outline of a session leaves open: the tokens of its stretches, and the times of its calls. */
export interface Course {
  readonly outline: Outline
  /** Tokens of the events from `startSeq` to `endSeq`; to the end of the log where that is absent. */
  tokensOf(span: { readonly startSeq: number; readonly endSeq?: number }): TokenUsage
  /** When a call was made and answered, where it was. */
  timesOf(call: OutlineCall): { readonly start?: number | undefined; readonly end?: number | undefined }
  /** What a person asked for in a turn. */
  promptOf(turn: OutlineTurn): string | undefined
}

/** Events of a turn among which its prompt is looked for. */
const NEAR = 8

// Chains and not arrays: a fold leaves its states as they were, and a copy for each event would cost the square.
interface Chain<T> {
  readonly value: T
  readonly before: Chain<T> | undefined
}

interface State {
  readonly totals: TokenTotals
  /** The total behind each boundary of a turn or step. */
  readonly boundaries: Chain<readonly [seq: number, total: TokenUsage]> | undefined
  readonly times: Chain<readonly [seq: number, time: number]> | undefined
}

const boundaryTypes = ['turn/start', 'turn/end', 'step/start', 'step/end']
const callTypes = ['tool/call', 'tool/result']

const course: FoldDefinition<State> = {
  initial: () => ({ totals: tokenTotals.initial(), boundaries: undefined, times: undefined }),
  types: [...new Set([...(tokenTotals.types ?? []), ...boundaryTypes, ...callTypes])],
  deltas: false,
  apply(state, event) {
    const totals = tokenTotals.apply(state.totals, event)
    const { seq, time, type } = event
    if (boundaryTypes.includes(type)) {
      return { ...state, totals, boundaries: { value: [seq, totals.total], before: state.boundaries } }
    }
    if (callTypes.includes(type)) return { ...state, totals, times: { value: [seq, time], before: state.times } }
    return totals === state.totals ? state : { ...state, totals }
  },
}

/** Reads the course of a session. */
export function courseOf(view: SessionView): Course {
  const { totals, boundaries, times } = view.fold(course)
  const totalBehind = new Map(valuesOf(boundaries))
  const timeOf = new Map(valuesOf(times))
  return {
    outline: view.fold(outline),
    tokensOf: ({ startSeq, endSeq }) =>
      subtract(
        (endSeq === undefined ? undefined : totalBehind.get(endSeq)) ?? totals.total,
        totalBehind.get(startSeq)!,
      ),
    timesOf: ({ callSeq, resultSeq }) => ({
      ...(callSeq !== undefined && { start: timeOf.get(callSeq) }),
      ...(resultSeq !== undefined && { end: timeOf.get(resultSeq) }),
    }),
    promptOf({ startSeq, endSeq = view.seq }) {
      for (const event of view.iterate(startSeq, Math.min(endSeq, startSeq + NEAR))) {
        if (event.type === 'user/message' && event.data.source.kind === 'user') return summarise(event)
      }
      return undefined
    },
  }
}

function* valuesOf<T>(chain: Chain<T> | undefined): Iterable<T> {
  for (let link = chain; link !== undefined; link = link.before) yield link.value
}

/** The usage that was added since `earlier`. */
export function subtract(later: TokenUsage, earlier: TokenUsage): TokenUsage {
  const counts = Object.entries(later).map(([key, count]) => [key, count - (earlier[key as keyof TokenUsage] ?? 0)])
  return Object.fromEntries(counts) as unknown as TokenUsage
}
