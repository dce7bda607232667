import type { CallId } from '@dsh/llm'
import { SessionError } from '../error.js'
import type { SessionEvent } from '../event.js'
import type { Session } from '../session.js'
import { advance, beforeTurn, type StepProgress, type TurnProgress } from './turn-progress.js'

/** One turn of a session as its recorder sees it. All but two facts that have no event of their own is read from the log. */
export class TurnLog {
  readonly session: Session
  readonly turn: number
  /** Where the chunks of the attempt in progress begin. */
  attemptFrom: number
  /** Whether an answer that did not stream was cut at its output limit. */
  cut = false
  #progress = beforeTurn
  #seen: number

  /** @param start the turn's `turn/start` */
  constructor(session: Session, start: SessionEvent<'turn/start'>) {
    this.session = session
    this.turn = start.data.turn
    this.attemptFrom = start.seq
    this.#seen = start.seq
  }

  /** Brought up to the log, whoever appended to it. */
  get progress(): TurnProgress {
    for (; this.#seen < this.session.seq; this.#seen++) {
      this.#progress = advance(this.#progress, this.session.eventAt(this.#seen))
    }
    return this.#progress
  }

  /** @throws RECORDER_STATE when the turn has ended */
  open(): TurnProgress {
    const { progress } = this
    if (progress.ended) throw this.refusal(`turn ${this.turn} to be open`, 'that it has ended')
    return progress
  }

  /** @throws RECORDER_STATE when the step that started at `startSeq` is not the open one */
  openStep(startSeq: number, number: number): StepProgress {
    const { step } = this.open()
    if (step?.startSeq === startSeq) return step
    throw this.refusal(`step ${number} of turn ${this.turn} to be open`, 'that it has ended')
  }

  /** @throws RECORDER_STATE when the turn has ended or a step is open */
  requireBetweenSteps(): TurnProgress {
    const progress = this.open()
    if (progress.step === undefined) return progress
    throw this.refusal('no open step', `step ${progress.step.step} of turn ${this.turn}`)
  }

  /** Whether chunks have come in that no message accounts for. */
  isStreaming(step: StepProgress): boolean {
    return step.messageSeq === undefined && step.chunkSeq !== undefined && step.chunkSeq >= this.attemptFrom
  }

  /** Whether the attempt in progress has finished with a failure. */
  hasFailed({ finish }: StepProgress): boolean {
    if (finish === undefined || finish.seq < this.attemptFrom) return false
    return finish.kind === 'error' || finish.kind === 'aborted'
  }

  /** @throws RECORDER_STATE while a model call or a tool call is in progress */
  requireQuiet(): void {
    const { step, calls } = this.open()
    if (step !== undefined && this.isStreaming(step)) {
      throw this.refusal('the answer in progress finished or given up', `chunks up to seq ${step.chunkSeq}`)
    }
    if (calls.length > 0) throw this.refusal('every tool call answered', unanswered(calls))
  }

  refusal(expected: string, found: string): SessionError {
    return new SessionError('RECORDER_STATE', { expected, found, session: this.session.id, seq: this.session.seq })
  }
}

function unanswered(calls: readonly { readonly callId: CallId }[]): string {
  return `no answer to ${calls.map(call => JSON.stringify(call.callId)).join(', ')}`
}
