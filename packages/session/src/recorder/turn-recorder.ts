import type { UserMessage } from '@dsh/llm'
import { appendClosers, closeOpenTurn } from '../closers.js'
import type { SessionEvent } from '../event.js'
import type { Session } from '../session.js'
import { type TurnEndFacts, turnEndReason } from '../turn-end-reason.js'
import { StepRecorder } from './step-recorder.js'
import { turnError } from './turn-error.js'
import { TurnLog } from './turn-log.js'
import { wasCut } from './turn-progress.js'

/**
 * Records one turn over `session.append`; made by `recordTurn`. What it does next it reads from the log, so that others
 * may append too, and an append that a veto refuses leaves it where it was. A call that does not fit the state of the turn
 * throws RECORDER_STATE, and then nothing was appended.
 */
export class TurnRecorder {
  /** Number of the turn. */
  readonly turn: number
  readonly #log: TurnLog

  /** @param start the turn's `turn/start` */
  constructor(session: Session, start: SessionEvent<'turn/start'>) {
    this.turn = start.data.turn
    this.#log = new TurnLog(session, start)
  }

  /** Whether the turn has ended, through this recorder or otherwise. */
  get ended(): boolean {
    return this.#log.progress.ended
  }

  /**
   * Records a prompt, or context that a plugin injects; not while an answer or a tool call is in progress, where the
   * message would stand between a call and its result.
   */
  prompt(message: UserMessage): SessionEvent<'user/message'> {
    this.#log.requireQuiet()
    return this.#log.session.append('user/message', message, { surfaceOp: 'append' })
  }

  /** Records a message that steers the running turn; between its steps only. */
  steer(message: UserMessage): SessionEvent<'steering/message'> {
    this.#log.requireBetweenSteps()
    return this.#log.session.append('steering/message', { turn: this.turn, message }, { surfaceOp: 'append' })
  }

  /** Opens the next step. */
  step(): StepRecorder {
    const { lastStep } = this.#log.requireBetweenSteps()
    return new StepRecorder(this.#log, this.#log.session.append('step/start', { turn: this.turn, step: lastStep + 1 }))
  }

  /** Ends the turn in the ordinary way, between steps: as completed, or as `max-tokens` when a step was cut. */
  close(): SessionEvent<'turn/end'> {
    this.#log.requireBetweenSteps()
    return this.#end({})
  }

  /**
   * Ends the turn as aborted, from any state: unanswered calls get an error result, an open step ends.
   * @returns the `turn/end`, or undefined when the turn had ended already
   */
  abort(): SessionEvent<'turn/end'> | undefined {
    return this.ended ? undefined : this.#end({ aborted: true })
  }

  /**
   * Ends the turn with an error, from any state, as {@link TurnRecorder.abort}.
   * @param error an {@link LlmFailure} for a model request that failed for good, else whatever was thrown
   */
  fail(error: unknown): SessionEvent<'turn/end'> | undefined {
    const { ended, lastStep } = this.#log.progress
    return ended ? undefined : this.#end({ error: turnError(lastStep, error) })
  }

  /** Ends the turn because the session's owner goes away, from any state, as {@link TurnRecorder.abort}. */
  dispose(): SessionEvent<'turn/end'> | undefined {
    return this.ended ? undefined : this.#end({ disposed: true })
  }

  #end(facts: TurnEndFacts): SessionEvent<'turn/end'> {
    const { session, progress, cut } = this.#log
    const reason = turnEndReason({ ...facts, maxTokens: cut || wasCut(progress) })
    return appendClosers(session, closeOpenTurn(session, reason)).at(-1) as SessionEvent<'turn/end'>
  }
}
