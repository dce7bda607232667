import type { SessionEvent } from '../event.js'
import type { FoldDefinition } from '../fold.js'
import type { TurnEndReason, TurnTrigger } from '../turn.js'
import { type OutlineCall, outlineCalls } from './outline-calls.js'
import { countEvent, noCounts, type OutlineCounts } from './outline-counts.js'
import { payloadField, payloadNumber } from './payload.js'

/** Where something lies in the log. Time never orders: the end can be earlier than the start. */
export interface OutlineSpan {
  readonly startSeq: number
  /** Unix epoch milliseconds of the first event. */
  readonly startTime: number
  /** Sequence number of the closing event; absent while open. */
  readonly endSeq?: number
  /** Unix epoch milliseconds of the last event that the outline has seen inside. */
  readonly endTime: number
}

/** One step of a turn. */
export interface OutlineStep extends OutlineSpan {
  readonly step: number
  readonly counts: OutlineCounts
  readonly calls: readonly OutlineCall[]
}

/** One turn. Its counts include those of its steps. */
export interface OutlineTurn extends OutlineSpan {
  readonly turn: number
  readonly trigger?: TurnTrigger
  /** Absent while the turn is open. */
  readonly reason?: TurnEndReason
  readonly counts: OutlineCounts
  readonly steps: readonly OutlineStep[]
}

/** The course of a session. */
export interface Outline {
  readonly turns: readonly OutlineTurn[]
  /** What entered the log between turns. */
  readonly idle: OutlineCounts
}

/**
 * The turns of a log, their steps, and what happened in them, under the numbers that the log gives them; 0 where it gives
 * none. Rewrites are left out: they stand for no execution. Where a log breaks the nesting, a start leaves what was open
 * without an end, and an end closes what is open whatever its number.
 */
export const outline: FoldDefinition<Outline> = {
  initial: () => ({ turns: [], idle: noCounts }),
  types: [
    'turn/start',
    'turn/end',
    'step/start',
    'step/end',
    'user/message',
    'steering/message',
    'assistant/message',
    'tool/call',
    'tool/result',
  ],
  apply(state, event) {
    if ('surfaceOp' in event && event.surfaceOp !== 'append') return state
    if (event.type === 'turn/start') return { ...state, turns: [...state.turns, startTurn(event)] }
    const turn = state.turns.at(-1)
    if (turn !== undefined && isOpen(turn)) return { ...state, turns: state.turns.with(-1, inTurn(turn, event)) }
    const idle = countEvent(state.idle, event)
    return idle === state.idle ? state : { ...state, idle }
  },
}

function startTurn({ seq, time, data }: SessionEvent<'turn/start'>): OutlineTurn {
  const trigger = payloadField(data, 'trigger') as TurnTrigger | undefined
  return {
    turn: payloadNumber(data, 'turn') ?? 0,
    ...(trigger !== undefined && { trigger }),
    ...start(seq, time),
    steps: [],
  }
}

function inTurn(turn: OutlineTurn, event: SessionEvent): OutlineTurn {
  const next = { ...turn, endTime: event.time, counts: countEvent(turn.counts, event) }
  switch (event.type) {
    case 'turn/end': {
      const reason = payloadField(event.data, 'reason') as TurnEndReason | undefined
      return { ...next, endSeq: event.seq, ...(reason !== undefined && { reason }) }
    }
    case 'step/start':
      return { ...next, steps: [...turn.steps, startStep(event)] }
    default: {
      const step = turn.steps.at(-1)
      return step !== undefined && isOpen(step) ? { ...next, steps: turn.steps.with(-1, inStep(step, event)) } : next
    }
  }
}

function startStep({ seq, time, data }: SessionEvent<'step/start'>): OutlineStep {
  return { step: payloadNumber(data, 'step') ?? 0, ...start(seq, time), calls: [] }
}

function inStep(step: OutlineStep, event: SessionEvent): OutlineStep {
  const counts = countEvent(step.counts, event)
  const next = { ...step, endTime: event.time, counts, calls: outlineCalls(step.calls, event) }
  return event.type === 'step/end' ? { ...next, endSeq: event.seq } : next
}

function start(seq: number, time: number) {
  return { startSeq: seq, startTime: time, endTime: time, counts: noCounts }
}

function isOpen(span: OutlineSpan): boolean {
  return span.endSeq === undefined
}
