import {
  type CallId,
  type ContentBlock,
  jsonEquals,
  type MessageId,
  type MessageSource,
  type ToolCallBlock,
} from '@dsh/llm'
import type { EpochHeader, RequestContext, TurnEndReason, TurnTrigger } from '@dsh/session'
import { headerEquals, TOOL_INTERRUPTED } from '@dsh/session'
import type { LogWriter } from '../log/log-writer.js'
import { type Answer, splitCalls, type ToolAnswer } from './answer.js'
import { type Compaction, compactSurface } from './compact-surface.js'
import { type HeldItem, HeldItems } from './held.js'

/** A message of a transcript with the id that it gets and the time that it has. */
export interface Stamp {
  readonly id: MessageId
  readonly time: number
}

/** How a turn ended, as far as a transcript tells. */
export type Ending = Exclude<TurnEndReason, { kind: 'error' }> | { readonly kind: 'error'; readonly message: string }

/** Options of a {@link TurnBuilder}. */
export interface TurnBuilderOptions {
  /** Whether a later record answers the call. Without it, nothing waits for an answer that does not come next. */
  readonly willAnswer?: (callId: string) => boolean
}

/** How much may come between a call and its answer before the call counts as unanswered. */
const MOST_HELD = 1_000

interface OpenCall {
  readonly block: ToolCallBlock
  /** Sequence number of its `tool/call`; undefined while it has not been started. */
  readonly callSeq: number | undefined
}

/**
 * Makes turns and steps of the prompts, answers and results that a transcript lists. The log that comes out is well
 * formed whatever the order they come in: an answer opens a step, a prompt behind an answer ends the turn, results come
 * before what else follows their call, and a call that is never answered gets an error where its step ends.
 */
export class TurnBuilder {
  readonly writer: LogWriter
  readonly #willAnswer: (callId: string) => boolean
  readonly #held = new HeldItems()
  readonly #calls = new Map<string, OpenCall>()
  /** Where among the held items the answer belongs that is being drafted. */
  #draftAt: number | undefined
  #turn = 0
  #step = 0
  #isTurnOpen = false
  #isStepOpen = false
  /** Whether the last step asked for tools, so that the turn was to go on. */
  #hasCalled = false
  #isCut = false
  #header: EpochHeader | undefined
  #nextHeader: EpochHeader | undefined
  #contextWindow: number | undefined
  #context: RequestContext | undefined

  constructor(writer: LogWriter, { willAnswer = () => false }: TurnBuilderOptions = {}) {
    this.writer = writer
    this.#willAnswer = willAnswer
  }

  get isTurnOpen(): boolean {
    return this.#isTurnOpen
  }

  /** Whether the open turn has had an answer. */
  get hasAnswered(): boolean {
    return this.#isTurnOpen && this.#step > 0
  }

  /** A message that a person sent: it opens a turn, or joins others that wait for their answer. */
  prompt(content: readonly ContentBlock[], stamp: Stamp, source: MessageSource = { kind: 'user' }): void {
    this.#write(() => this.#prompt(content, stamp, source))
  }

  /** Context that a tool put in: it belongs to the open turn, if any, and opens none. */
  inject(content: readonly ContentBlock[], stamp: Stamp, source: MessageSource): void {
    this.#write(() => this.#user(content, stamp, source))
  }

  /** A message that a person sent into the running turn. Without one it is a prompt. */
  steer(content: readonly ContentBlock[], stamp: Stamp, source: MessageSource = { kind: 'user' }): void {
    this.#write(() => {
      if (!this.hasAnswered) {
        this.#prompt(content, stamp, source)
        return
      }
      const { id, time } = stamp
      const message = { id, role: 'user' as const, source, content }
      this.writer.message('steering/message', { turn: this.#turn, message }, time)
    })
  }

  /**
   * The header of the requests from the next answer on.
   * @param contextWindow capacity of its route in tokens, where the transcript tells it
   */
  request(header: EpochHeader, contextWindow?: number): void {
    this.#nextHeader = header
    this.#contextWindow = contextWindow
  }

  /** An answer of the model: a step of its own. Outside a turn it opens one of which nobody knows what started it. */
  answer(answer: Answer, stamp: Stamp): void {
    this.#write(() => this.#answer(answer, stamp))
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
      this.#item(() => this.#answer(answer, stamp)),
    )
    this.#release()
  }

  /** The answer of a tool. One that no open call waits for is kept as an `import/record`. */
  result(answer: ToolAnswer, stamp: Stamp): void {
    if (this.#draftAt !== undefined || (this.#held.size > 0 && !this.#calls.has(answer.callId))) {
      this.#hold(() => this.#result(answer, stamp), answer.callId)
      return
    }
    this.#result(answer, stamp)
    this.#release()
  }

  /** Ends the open turn; does nothing without one. Without a reason it is told from the last step. */
  endTurn(ending: Ending | undefined, time = this.writer.time): void {
    this.#write(() => this.#endTurn(ending, time, this.writer.ordinal))
  }

  /** Replaces what the model saw so far, or what came before `keepFrom`, by a summary. */
  compact(compaction: Compaction): void {
    this.#write(() => compactSurface(this.writer, compaction))
  }

  /** Ends whatever is open: the transcript, or the part of it that two branches share, is over. */
  end(ending?: Ending): void {
    this.#giveUp()
    if (this.#isTurnOpen) this.#endTurn(ending, this.writer.lastTime)
  }

  #write(write: () => void): void {
    if (this.#draftAt !== undefined || this.#held.size > 0 || this.#isAwaiting()) {
      this.#hold(write)
      return
    }
    this.#answerOpenCalls()
    write()
  }

  #hold(write: () => void, callId?: string): void {
    this.#held.push(this.#item(write, callId))
    if (this.#held.size > MOST_HELD && this.#draftAt === undefined) this.#giveUp()
  }

  /** Whatever is written later is still of the record that asked for it. */
  #item(write: () => void, callId?: string): HeldItem {
    const { writer } = this
    const { record } = writer
    return { write: () => writer.within(record, write), ...(callId !== undefined && { callId }) }
  }

  /** Whether an open call is going to be answered. */
  #isAwaiting(): boolean {
    for (const callId of this.#calls.keys()) {
      if (this.#willAnswer(callId) || this.#held.answers(callId)) return true
    }
    return false
  }

  /** Writes what was held, up to where a call waits for an answer again. */
  #release(): void {
    for (;;) {
      const item = this.#held.take(this.#isAwaiting() ? this.#calls : undefined)
      if (item === undefined) return
      this.#writeHeld(item)
    }
  }

  /** Writes what was held, waiting for nothing any more. */
  #giveUp(): void {
    for (;;) {
      const item = this.#held.take(this.#calls) ?? this.#held.take()
      if (item === undefined) break
      this.#writeHeld(item)
    }
    this.#answerOpenCalls()
  }

  #writeHeld({ callId, write }: HeldItem): void {
    if (callId === undefined) this.#answerOpenCalls()
    write()
  }

  #prompt(content: readonly ContentBlock[], stamp: Stamp, source: MessageSource): void {
    if (this.hasAnswered) this.#endTurn(undefined, stamp.time)
    this.#openTurn({ kind: 'message', source }, stamp.time)
    this.#user(content, stamp, source)
  }

  #openTurn(trigger: TurnTrigger, time: number): void {
    if (this.#isTurnOpen) return
    this.#turn++
    this.#step = 0
    this.#isTurnOpen = true
    this.#hasCalled = false
    this.#isCut = false
    this.writer.log('turn/start', { turn: this.#turn, trigger }, time)
  }

  #user(content: readonly ContentBlock[], { id, time }: Stamp, source: MessageSource): void {
    this.writer.message('user/message', { id, role: 'user', source, content }, time)
  }

  #answer({ content: all, provider, model, usage, stop }: Answer, { id, time }: Stamp): void {
    const { writer } = this
    this.#openTurn({ kind: 'unrecorded' }, time)
    const place = { turn: this.#turn, step: ++this.#step }
    const { content, calls, repeated } = splitCalls(all)
    writer.log('step/start', place, time)
    this.#isStepOpen = true
    this.#writeHeader(time)
    const source = { kind: 'model' as const, provider, model }
    const message = { id, role: 'assistant' as const, source, content }
    writer.message('assistant/message', { ...place, message, ...(usage !== undefined && { usage }) }, time)
    for (const call of repeated) writer.keepPart('repeated call', { ...call })
    this.#isCut ||= stop === 'max-tokens'
    this.#hasCalled = calls.length > 0
    const isCutOff = stop === 'aborted' || stop === 'error'
    for (const block of calls) {
      this.#calls.set(block.id, { block, callSeq: isCutOff ? undefined : this.#startCall(block, time) })
    }
    if (calls.length === 0) this.#endStep(time)
  }

  #startCall({ id, name, arguments: args }: ToolCallBlock, time: number): number {
    return this.writer.log('tool/call', { turn: this.#turn, step: this.#step, callId: id, name, arguments: args }, time)
  }

  #writeHeader(time: number): void {
    const header = this.#nextHeader
    this.#nextHeader = undefined
    if (header === undefined || (this.#header !== undefined && headerEquals(header, this.#header))) return
    const reason = this.#header === undefined ? 'initial' : 'change'
    this.#header = header
    this.writer.log('request/header', { header, reason }, time)
    const contextWindow = this.#contextWindow
    const { provider, model } = header.config
    const context = contextWindow === undefined ? undefined : { provider, model, contextWindow }
    if (context === undefined || jsonEquals(context, this.#context)) return
    this.#context = context
    this.writer.log('request/context', context, time)
  }

  #result({ callId, content, isError, meta }: ToolAnswer, { id, time }: Stamp): void {
    const call = this.#calls.get(callId)
    if (call === undefined) {
      const answer = { callId, content, ...(isError !== undefined && { isError }), ...(meta !== undefined && { meta }) }
      this.writer.keepPart('unpaired result', answer as never)
      return
    }
    this.#calls.delete(callId)
    // A result that is no error proves that the call was started, although its answer was cut off.
    const callSeq = call.callSeq ?? (isError === true ? undefined : this.#startCall(call.block, time))
    this.#writeResult(callId, content, callSeq, { id, time }, { isError, meta })
    if (this.#calls.size === 0) this.#endStep(time)
  }

  #writeResult(
    callId: string,
    content: readonly ContentBlock[],
    callSeq: number | undefined,
    { id, time }: Stamp,
    { isError, meta, code }: { isError?: boolean | undefined; meta?: ToolAnswer['meta']; code?: string },
  ): void {
    const toolCallId = callId as CallId
    const block = { type: 'tool-result' as const, toolCallId, content, ...(isError !== undefined && { isError }) }
    const source = { kind: 'tool' as const, callId: toolCallId }
    this.writer.message(
      'tool/result',
      {
        turn: this.#turn,
        step: this.#step,
        message: { id, role: 'user', source, content: [block] },
        ...(code !== undefined && { error: { name: TOOL_INTERRUPTED, code } }),
        ...(meta !== undefined && { meta }),
      },
      time,
      callSeq === undefined ? {} : { sourceEventSeqs: [callSeq] },
    )
  }

  /** Answers the calls that nothing in the transcript answers, in the words of crash recovery. */
  #answerOpenCalls(): void {
    if (this.#calls.size === 0) return
    const time = this.writer.lastTime
    for (const [callId, { callSeq }] of this.#calls) {
      const id = `${this.writer.format}:closer/${this.writer.seq}` as MessageId
      const [code, text] =
        callSeq === undefined
          ? ['TOOL_NOT_STARTED', 'Interrupted: the answer was cut off before this tool was started.']
          : [
              'TOOL_OUTCOME_UNKNOWN',
              'Interrupted: the transcript holds no result of this call. It may have taken effect.',
            ]
      this.#writeResult(callId, [{ type: 'text', text: text! }], callSeq, { id, time }, { isError: true, code: code! })
    }
    this.#calls.clear()
    this.#endStep(time)
  }

  #endStep(time: number): void {
    if (!this.#isStepOpen) return
    this.#isStepOpen = false
    this.writer.log('step/end', { turn: this.#turn, step: this.#step }, time)
  }

  #endTurn(ending: Ending | undefined, time: number, ordinal = this.writer.lastOrdinal): void {
    if (!this.#isTurnOpen) return
    const reason = this.#reason(ending)
    this.#isTurnOpen = false
    // What the transcript says of the end has its time; an end that is only concluded has that of what came before.
    this.writer.log('turn/end', { turn: this.#turn, reason }, ending === undefined ? this.writer.lastTime : time)
    this.writer.turnEnded(ordinal)
  }

  #reason(ending: Ending | undefined): TurnEndReason {
    if (ending?.kind === 'error') return { kind: 'error', step: this.#step, message: ending.message }
    if (ending !== undefined && ending.kind !== 'completed') return ending
    if (this.#isCut) return { kind: 'max-tokens' }
    if (ending !== undefined) return ending
    return { kind: this.#step === 0 || this.#hasCalled ? 'interrupted' : 'completed' }
  }
}
