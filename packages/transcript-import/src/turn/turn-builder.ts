import type { ContentBlock, MessageSource } from '@dsh/llm'
import type { EpochHeader } from '@dsh/session'
import type { LogWriter } from '../log/log-writer.js'
import type { Answer, ToolAnswer } from './answer.js'
import { type Compaction, compactSurface } from './compact-surface.js'
import { type HeldItem, HeldItems } from './held.js'
import { type Ending, type Stamp, TurnLog } from './turn-log.js'

export type { Ending, Stamp } from './turn-log.js'

/** Options of a {@link TurnBuilder}. */
export interface TurnBuilderOptions {
  /** Whether a later record answers the call. Without it, nothing waits for an answer that does not come next. */
  readonly willAnswer?: (callId: string) => boolean
}

/** How much may come between a call and its answer before the call counts as unanswered. */
const MOST_HELD = 1_000

/**
 * Makes turns and steps of the prompts, answers and results that a transcript lists. The log that comes out is well
 * formed whatever the order they come in: an answer opens a step, a prompt behind an answer ends the turn, results come
 * before what else follows their call, and a call that is never answered gets an error where its step ends.
 */
export class TurnBuilder {
  readonly #log: TurnLog
  readonly #willAnswer: (callId: string) => boolean
  readonly #held = new HeldItems()
  /** Where among the held items the answer belongs that is being drafted. */
  #draftAt: number | undefined

  constructor(writer: LogWriter, { willAnswer = () => false }: TurnBuilderOptions = {}) {
    this.#log = new TurnLog(writer)
    this.#willAnswer = willAnswer
  }

  get isTurnOpen(): boolean {
    return this.#log.isTurnOpen
  }

  /** Whether the open turn has had an answer. */
  get hasAnswered(): boolean {
    return this.#log.hasAnswered
  }

  /** A message that a person sent: it opens a turn, or joins others that wait for their answer. */
  prompt(content: readonly ContentBlock[], stamp: Stamp, source: MessageSource = { kind: 'user' }): void {
    this.#write(() => this.#log.prompt(content, stamp, source))
  }

  /** Context that a tool put in: it belongs to the open turn, if any, and opens none. */
  inject(content: readonly ContentBlock[], stamp: Stamp, source: MessageSource): void {
    this.#write(() => this.#log.user(content, stamp, source))
  }

  /** A message that a person sent into the running turn. Without one it is a prompt. */
  steer(content: readonly ContentBlock[], stamp: Stamp, source: MessageSource = { kind: 'user' }): void {
    this.#write(() => {
      if (this.#log.hasAnswered) this.#log.steer(content, stamp, source)
      else this.#log.prompt(content, stamp, source)
    })
  }

  /**
   * The header of the requests from the next answer on.
   * @param contextWindow capacity of its route in tokens, where the transcript tells it
   */
  request(header: EpochHeader, contextWindow?: number): void {
    this.#write(() => this.#log.requests.set(header, contextWindow))
  }

  /** An answer of the model: a step of its own. Outside a turn it opens one of which nobody knows what started it. */
  answer(answer: Answer, stamp: Stamp): void {
    this.#write(() => this.#log.answer(answer, stamp))
  }

  /** Begins an answer that comes in pieces: what comes before {@link TurnBuilder.commit} follows it. */
  draft(): void {
    this.#draftAt = this.#held.size
  }

  /** The whole of the answer that {@link TurnBuilder.draft} began. */
  commit(answer: Answer, stamp: Stamp): void {
    const at = this.#draftAt ?? this.#held.size
    this.#draftAt = undefined
    this.#held.insert(
      at,
      this.#item(() => this.#log.answer(answer, stamp)),
    )
    this.#release()
  }

  /** The answer of a tool. One that no open call waits for is kept as an `import/record`. */
  result(answer: ToolAnswer, stamp: Stamp): void {
    if (this.#draftAt !== undefined || (this.#held.size > 0 && !this.#log.openCalls.has(answer.callId))) {
      this.#hold(() => this.#log.result(answer, stamp), answer.callId)
      return
    }
    this.#log.result(answer, stamp)
    this.#release()
  }

  /** Ends the open turn; does nothing without one. Without a reason it is told from the last step. */
  endTurn(ending: Ending | undefined, time = this.#log.writer.time): void {
    this.#write(() => this.#log.endTurn(ending, time, this.#log.writer.ordinal))
  }

  /** Replaces messages that the model saw by a summary. */
  compact(compaction: Compaction): void {
    this.#write(() => compactSurface(this.#log.writer, compaction))
  }

  /** Ends whatever is open: the transcript, or the part of it that two branches share, is over. */
  end(ending?: Ending): void {
    this.#giveUp()
    this.#log.requests.close(this.#log.writer)
    this.#log.endTurn(ending, this.#log.writer.lastTime)
  }

  #write(write: () => void): void {
    if (this.#draftAt !== undefined || this.#held.size > 0 || this.#isAwaiting()) {
      this.#hold(write)
      return
    }
    this.#log.answerOpenCalls()
    write()
  }

  #hold(write: () => void, callId?: string): void {
    this.#held.push(this.#item(write, callId))
    if (this.#held.size > MOST_HELD && this.#draftAt === undefined) this.#giveUp()
  }

  /** Whatever is written later is still of the record that asked for it. */
  #item(write: () => void, callId?: string): HeldItem {
    const { writer } = this.#log
    const { record } = writer
    return { write: () => writer.within(record, write), ...(callId !== undefined && { callId }) }
  }

  /** Whether an open call is going to be answered. */
  #isAwaiting(): boolean {
    for (const callId of this.#log.openCalls.keys()) {
      if (this.#willAnswer(callId) || this.#held.answers(callId)) return true
    }
    return false
  }

  /** Writes what was held, up to where a call waits for an answer again. */
  #release(): void {
    for (;;) {
      const item = this.#held.take(this.#isAwaiting() ? this.#log.openCalls : undefined)
      if (item === undefined) return
      this.#writeHeld(item)
    }
  }

  /** Writes what was held, waiting for nothing any more. */
  #giveUp(): void {
    for (;;) {
      const item = this.#held.take(this.#log.openCalls) ?? this.#held.take()
      if (item === undefined) break
      this.#writeHeld(item)
    }
    this.#log.answerOpenCalls()
  }

  #writeHeld({ callId, write }: HeldItem): void {
    if (callId === undefined) this.#log.answerOpenCalls()
    write()
  }
}
