import type { StreamChunk, TokenUsage } from '@dsh/llm'
import type { SessionEvent } from '../event.js'
import { payloadField } from './payload.js'

/** What one model call consumed, as far as it was reported. */
export interface CallUsage {
  /** Sequence number of the first report. */
  readonly seq: number
  readonly usage: TokenUsage
}

/** The usage reports of one step, sorted into model calls: a step that retries makes several. */
export interface StepUsage {
  /** Reports of the call in progress. */
  readonly call: readonly CallUsage[]
  /** Indexes of the blocks that the call in progress has started. */
  readonly started: readonly number[]
  /** Sequence numbers of all usage chunks of the step. */
  readonly chunkSeqs: readonly number[]
}

/** A step after some event, and the calls that are over with it. */
export interface StepUsageChange {
  readonly step: StepUsage
  readonly ended: readonly CallUsage[]
}

/** No step. */
export const noStep: StepUsage = { call: [], started: [], chunkSeqs: [] }

/** A step boundary ends the call in progress. */
export function endStep(step: StepUsage): StepUsageChange {
  return { step: noStep, ended: merged(step.call) }
}

/** A failed attempt ends; what follows in the step belongs to another call. */
export function endAttempt(step: StepUsage): StepUsageChange {
  return { step: { ...step, call: [], started: [] }, ended: merged(step.call) }
}

/**
 * A chunk adds its report to the call in progress. The call is over when it finishes with a failure, or when a block
 * that it has started starts again.
 */
export function takeChunk(step: StepUsage, { seq, data }: SessionEvent<'assistant/chunk'>): StepUsageChange {
  const chunk = payloadField(data, 'chunk') as StreamChunk | undefined
  switch (chunk?.type) {
    case 'usage':
      return keep({ ...step, call: report(step.call, seq, chunk.usage), chunkSeqs: [...step.chunkSeqs, seq] })
    case 'block-start': {
      if (!step.started.includes(chunk.index)) return keep({ ...step, started: [...step.started, chunk.index] })
      const change = endAttempt(step)
      return { ...change, step: { ...change.step, started: [chunk.index] } }
    }
    case 'finish':
      return isFailure(chunk.reason?.kind) ? endAttempt(step) : keep(step)
    default:
      return keep(step)
  }
}

/**
 * The message belongs to the call whose chunks it cites: reports that it leaves out are those of an earlier attempt. Its
 * own usage counts where the call reported none while it streamed.
 */
export function takeMessage(step: StepUsage, event: SessionEvent<'assistant/message'>): StepUsageChange {
  const sources = new Set(event.sourceEventSeqs)
  const cited = step.call.filter(({ seq }) => sources.has(seq))
  const own = cited.length === 0 ? step.call : cited
  const reported = own.length > 0 || step.chunkSeqs.some(seq => sources.has(seq))
  return {
    step: { ...step, call: reported ? own : report(own, event.seq, event.data.usage) },
    ended: cited.length === 0 ? [] : merged(step.call.filter(({ seq }) => !sources.has(seq))),
  }
}

/**
 * The calls with their reports merged: none or one. A provider that reports more than once while it streams tells what
 * the call has consumed so far, so the highest of each count stands, and a total never falls.
 */
export function merged(call: readonly CallUsage[]): readonly CallUsage[] {
  const [first, ...rest] = call
  if (first === undefined) return []
  return [rest.reduce((sum, { usage }) => ({ seq: sum.seq, usage: highest(sum.usage, usage) }), first)]
}

/** A usage that somebody else's log may hold: what is not a count in it is left out. Undefined where nothing is left. */
export function readUsage(value: unknown): TokenUsage | undefined {
  const counts = Object.fromEntries(countNames.flatMap(name => entry(name, payloadField(value, name))))
  if (Object.keys(counts).length === 0) return undefined
  return { inputTokens: 0, outputTokens: 0, ...counts }
}

const countNames = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const

function entry(name: string, count: unknown): [string, number][] {
  return typeof count === 'number' && count >= 0 ? [[name, count]] : []
}

function highest(a: TokenUsage, b: TokenUsage): TokenUsage {
  const counts = countNames.flatMap(name => {
    const [one, other] = [a[name], b[name]]
    return one === undefined && other === undefined ? [] : entry(name, Math.max(one ?? 0, other ?? 0))
  })
  return Object.fromEntries(counts) as unknown as TokenUsage
}

function report(call: readonly CallUsage[], seq: number, value: unknown): readonly CallUsage[] {
  const usage = readUsage(value)
  return usage === undefined ? call : [...call, { seq, usage }]
}

function isFailure(kind: string | undefined): boolean {
  return kind === 'error' || kind === 'aborted'
}

function keep(step: StepUsage): StepUsageChange {
  return { step, ended: [] }
}
