import type { SessionEvent } from '../event.js'
import { type OpenToolCall, openToolCalls } from '../folds/open-tool-calls.js'
import { payloadField, payloadNumber } from '../folds/payload.js'

/** What the log says of the open step of a turn. */
export interface StepProgress {
  readonly step: number
  /** Sequence number of its `step/start`. */
  readonly startSeq: number
  /** Sequence number of its last `assistant/chunk`. */
  readonly chunkSeq?: number
  /** Its last `finish` chunk. */
  readonly finish?: { readonly seq: number; readonly kind: unknown }
  /** Sequence number of its `assistant/message`. */
  readonly messageSeq?: number
}

/** What the log says of a turn: a fold over the events from its `turn/start` on. */
export interface TurnProgress {
  readonly started: boolean
  readonly ended: boolean
  /** Number of the last step; 0 before the first. */
  readonly lastStep: number
  /** Whether an ended step was cut at its output limit; the last `finish` of a step decides. */
  readonly cut: boolean
  /** The open step. */
  readonly step?: StepProgress
  /** Unanswered tool calls in block order. */
  readonly calls: readonly OpenToolCall[]
}

export const beforeTurn: TurnProgress = { started: false, ended: false, lastStep: 0, cut: false, calls: [] }

/** The progress after `event`. Once the turn has ended nothing changes it. */
export function advance(progress: TurnProgress, event: SessionEvent): TurnProgress {
  if (progress.ended) return progress
  const calls = openToolCalls.apply(progress.calls, event)
  switch (event.type) {
    case 'turn/start':
      return progress.started ? end(progress) : { ...progress, started: true }
    case 'turn/end':
      return end(progress)
    case 'step/start': {
      const step = payloadNumber(event.data, 'step') ?? progress.lastStep
      return { ...progress, lastStep: step, step: { step, startSeq: event.seq } }
    }
    case 'step/end':
      return { ...progress, cut: wasCut(progress), step: undefined }
    case 'assistant/chunk':
      return takeChunk(progress, event)
    case 'assistant/message':
      if (event.surfaceOp !== 'append' || progress.step === undefined) return { ...progress, calls }
      return { ...progress, calls, step: { ...progress.step, messageSeq: event.seq } }
    default:
      return calls === progress.calls ? progress : { ...progress, calls }
  }
}

/** Whether a step of the turn, ended or open, was cut at its output limit. */
export function wasCut({ cut, step }: TurnProgress): boolean {
  return cut || step?.finish?.kind === 'max-tokens'
}

function takeChunk(progress: TurnProgress, { seq, data }: SessionEvent<'assistant/chunk'>): TurnProgress {
  const { step } = progress
  if (step === undefined) return progress
  const chunk = payloadField(data, 'chunk')
  if (payloadField(chunk, 'type') !== 'finish') return { ...progress, step: { ...step, chunkSeq: seq } }
  const finish = { seq, kind: payloadField(payloadField(chunk, 'reason'), 'kind') }
  return { ...progress, step: { ...step, chunkSeq: seq, finish } }
}

function end(progress: TurnProgress): TurnProgress {
  return { ...progress, ended: true, step: undefined, calls: [] }
}
