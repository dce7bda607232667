import { type MessageId, toolResultMessage } from '@dsh/llm'
import type { SessionEvent } from './event.js'
import { type OpenToolCall, openToolCalls } from './folds/open-tool-calls.js'
import { type OpenTurn, openTurn } from './folds/open-turn.js'
import type { Session } from './session.js'
import { logOf, type SessionView } from './session-view.js'
import type { TurnEndReason } from './turn.js'
import { acceptEvent } from './validate-event.js'

/** An event that helps to close a turn, with the place and time that it takes at the end of the log. */
export type TurnCloser = SessionEvent<'tool/result'> | SessionEvent<'step/end'> | SessionEvent<'turn/end'>

/** The name of the errors with which {@link closeOpenTurn} answers tool calls. */
export const TOOL_INTERRUPTED = 'ToolInterrupted'

/**
 * The events that close the open turn of a log: an error `tool/result` for each unanswered tool call in block order,
 * `step/end` where a step is open, `turn/end`. None when no turn is open. Nothing is appended.
 *
 * A result has the error code `TOOL_NOT_STARTED` where no `tool/call` was recorded, and `TOOL_OUTCOME_UNKNOWN`, citing
 * the `tool/call`, where one was. The time of all of them is that of the last event, message ids derive from the
 * session's id and the sequence number, so the same log always gives the same events. A call whose message a rewrite
 * has taken off the surface is answered like any other, so that the log pairs.
 * @param outcome how the turn ended
 */
export function closeOpenTurn(log: SessionView, outcome: 'aborted' | 'interrupted' | TurnEndReason): TurnCloser[] {
  const open = currentTurn(log)
  if (open === undefined) return []
  const { time } = log.eventAt(log.seq - 1)
  const closers: SessionEvent[] = []
  const add = (type: TurnCloser['type'], data: unknown, intent?: unknown) =>
    closers.push(acceptEvent(type, log.seq + closers.length, time, data, intent))
  for (const call of unansweredCalls(log, open.startSeq)) {
    const { callSeq } = call
    const data = interruptedResult(call, `${log.id}/closer/${log.seq + closers.length}`)
    add('tool/result', data, { surfaceOp: 'append', ...(callSeq !== undefined && { sourceEventSeqs: [callSeq] }) })
  }
  const { turn, step } = open
  if (step !== undefined) add('step/end', { turn, step })
  add('turn/end', { turn, reason: typeof outcome === 'string' ? { kind: outcome } : outcome })
  return closers as TurnCloser[]
}

/** The events that close a turn which a crash left open; see {@link closeOpenTurn}. */
export function interruptedTurnClosers(log: SessionView): TurnCloser[] {
  return closeOpenTurn(log, 'interrupted')
}

/**
 * Appends closers to the log that they were made for, under the time of the clock: how a live turn is closed.
 * @returns the events as they lie in the log
 * @throws what `append` throws; the closers before the refused one are in the log then, and the rest can be made anew
 */
export function appendClosers(session: Session, closers: readonly TurnCloser[]): TurnCloser[] {
  return closers.map(closer => {
    if (closer.type !== 'tool/result') return appendBoundary(session, closer)
    const { type, data, surfaceOp, sourceEventSeqs } = closer
    return session.append(type, data, { surfaceOp, ...(sourceEventSeqs !== undefined && { sourceEventSeqs }) })
  })
}

// The compiler pairs types and payloads in a union one at a time only.
function appendBoundary(session: Session, closer: Exclude<TurnCloser, SessionEvent<'tool/result'>>): TurnCloser {
  return closer.type === 'step/end'
    ? session.append(closer.type, closer.data)
    : session.append(closer.type, closer.data)
}

// Found from the end backwards: a fold would decode the bounds of all turns and steps before.
function currentTurn(log: SessionView): OpenTurn | undefined {
  const bound = logOf(log).findLast(log.seq, ['turn/start', 'turn/end'])
  if (bound?.type !== 'turn/start') return undefined
  let open = openTurn.initial()
  logOf(log).scan(bound.seq, openTurn, event => {
    open = openTurn.apply(open, event)
  })
  return open
}

// Not `log.fold`, which would decode the messages of all turns before.
function unansweredCalls(log: SessionView, startSeq: number): readonly OpenToolCall[] {
  let calls = openToolCalls.initial()
  logOf(log).scan(startSeq, openToolCalls, event => {
    calls = openToolCalls.apply(calls, event)
  })
  return calls
}

function interruptedResult({ callId, turn, step, callSeq }: OpenToolCall, id: string) {
  const [code, text] =
    callSeq === undefined
      ? ['TOOL_NOT_STARTED', 'Interrupted: the turn ended before this tool was started.']
      : [
          'TOOL_OUTCOME_UNKNOWN',
          'Interrupted: the turn ended while this tool was running, and its result was not recorded. ' +
            'It may have taken effect; check before you call it again.',
        ]
  const message = toolResultMessage(callId, text!, { id: id as MessageId, isError: true })
  return { turn, step, message, error: { name: TOOL_INTERRUPTED, code } }
}
