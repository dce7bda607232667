import type { CallId, ContentBlock, MessageId, MessageSource, ToolCallBlock } from '@dsh/llm'
import { TOOL_INTERRUPTED, type TurnEndReason, type TurnTrigger } from '@dsh/session'
import type { LogWriter } from '../log/log-writer.js'
import { type Answer, splitCalls, type ToolAnswer } from './answer.js'
import { RequestLog } from './request-log.js'

/** A message of a transcript with the id that it gets and the time that it has. */
export interface Stamp {
  readonly id: MessageId
  readonly time: number
}

/** How a turn ended, as far as a transcript tells. */
export type Ending = Exclude<TurnEndReason, { kind: 'error' }> | { readonly kind: 'error'; readonly message: string }

/** A call that waits for its answer. */
interface OpenCall {
  readonly block: ToolCallBlock
  /** Sequence number of its `tool/call`; undefined while it has not been started. */
  readonly callSeq: number | undefined
}

/** Writes turns, steps, messages and results, each where the log wants it. What comes when is for others to decide. */
export class TurnLog {
  readonly writer: LogWriter
  readonly requests = new RequestLog()
  readonly #calls = new Map<string, OpenCall>()
  #turn = 0
  #step = 0
  #isTurnOpen = false
  #isStepOpen = false
  /** Whether the last step asked for tools, so that the turn was to go on. */
  #hasCalled = false
  #isCut = false

  constructor(writer: LogWriter) {
    this.writer = writer
  }

  get isTurnOpen(): boolean {
    return this.#isTurnOpen
  }

  /** Whether the open turn has had an answer. */
  get hasAnswered(): boolean {
    return this.#isTurnOpen && this.#step > 0
  }

  /** The calls that wait for an answer, by id. */
  get openCalls(): ReadonlyMap<string, unknown> {
    return this.#calls
  }

  prompt(content: readonly ContentBlock[], stamp: Stamp, source: MessageSource): void {
    if (this.hasAnswered) this.endTurn(undefined, stamp.time)
    this.#openTurn({ kind: 'message', source }, stamp.time)
    this.user(content, stamp, source)
  }

  user(content: readonly ContentBlock[], { id, time }: Stamp, source: MessageSource): void {
    this.writer.message('user/message', { id, role: 'user', source, content }, time)
  }

  steer(content: readonly ContentBlock[], { id, time }: Stamp, source: MessageSource): void {
    const message = { id, role: 'user' as const, source, content }
    this.writer.message('steering/message', { turn: this.#turn, message }, time)
  }

  answer({ content: all, provider, model, usage, stop, startedAt }: Answer, { id, time }: Stamp): void {
    const { writer } = this
    this.#openTurn({ kind: 'unrecorded' }, time)
    const place = { turn: this.#turn, step: ++this.#step }
    const { content, calls, repeated } = splitCalls(all)
    writer.log('step/start', place, startedAt ?? time)
    this.#isStepOpen = true
    this.requests.write(writer, time)
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

  result({ callId, content, isError, meta }: ToolAnswer, { id, time }: Stamp): void {
    const call = this.#calls.get(callId)
    if (call === undefined) {
      this.writer.keepPart('unpaired result', {
        callId,
        content: content as never,
        ...(isError !== undefined && { isError }),
        ...(meta !== undefined && { meta }),
      })
      return
    }
    this.#calls.delete(callId)
    // A result that is no error proves that the call was started, although its answer was cut off.
    const callSeq = call.callSeq ?? (isError === true ? undefined : this.#startCall(call.block, time))
    this.#writeResult(callId, content, callSeq, { id, time }, { isError, meta })
    if (this.#calls.size === 0) this.#endStep(time)
  }

  /** Answers the calls that nothing in the transcript answers, in the words of crash recovery. */
  answerOpenCalls(): void {
    if (this.#calls.size === 0) return
    const time = this.writer.lastTime
    for (const [callId, { callSeq }] of this.#calls) {
      const id = `${this.writer.format}:closer/${this.writer.seq}` as MessageId
      const [code, text] = callSeq === undefined ? notStarted : outcomeUnknown
      this.#writeResult(callId, [{ type: 'text', text }], callSeq, { id, time }, { isError: true, code })
    }
    this.#calls.clear()
    this.#endStep(time)
  }

  /**
   * @param ending absent where it is only concluded; it then has the time of what came before
   * @param ordinal of the last record that tells of the turn
   */
  endTurn(ending: Ending | undefined, time: number, ordinal = this.writer.lastOrdinal): void {
    if (!this.#isTurnOpen) return
    const reason = this.#reason(ending)
    this.#isTurnOpen = false
    this.writer.log('turn/end', { turn: this.#turn, reason }, ending === undefined ? this.writer.lastTime : time)
    this.writer.turnEnded(ordinal)
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

  #startCall({ id, name, arguments: args }: ToolCallBlock, time: number): number {
    return this.writer.log('tool/call', { turn: this.#turn, step: this.#step, callId: id, name, arguments: args }, time)
  }

  #writeResult(
    callId: string,
    content: readonly ContentBlock[],
    callSeq: number | undefined,
    { id, time }: Stamp,
    { isError, meta, code }: Pick<ToolAnswer, 'isError' | 'meta'> & { readonly code?: string },
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

  #endStep(time: number): void {
    if (!this.#isStepOpen) return
    this.#isStepOpen = false
    this.writer.log('step/end', { turn: this.#turn, step: this.#step }, time)
  }

  #reason(ending: Ending | undefined): TurnEndReason {
    if (ending?.kind === 'error') return { kind: 'error', step: this.#step, message: ending.message }
    if (ending !== undefined && ending.kind !== 'completed') return ending
    if (this.#isCut) return { kind: 'max-tokens' }
    if (ending !== undefined) return ending
    return { kind: this.#step === 0 || this.#hasCalled ? 'interrupted' : 'completed' }
  }
}

const notStarted = ['TOOL_NOT_STARTED', 'Interrupted: the answer was cut off before this tool was started.'] as const
const outcomeUnknown = [
  'TOOL_OUTCOME_UNKNOWN',
  'Interrupted: the transcript holds no result of this call. It may have taken effect.',
] as const
