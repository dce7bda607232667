import type { CallId, ContentBlock, FinishReason, LlmFailure, StreamChunk } from '@dsh/llm'
import { canonicalHeader } from '../epoch-header.js'
import type { SessionEvent } from '../event.js'
import type { OpenToolCall } from '../folds/open-tool-calls.js'
import type { EpochHeader, RequestContext } from '../request.js'
import {
  type Answer,
  type AnswerOptions,
  answerPayload,
  assembleAttempt,
  blocks,
  resultPayload,
  type ToolResultOptions,
} from './answer.js'
import { contextChanged, headerReason, isHeaderRecorded } from './request-record.js'
import { failureFacts } from './turn-error.js'
import type { TurnLog } from './turn-log.js'
import type { StepProgress } from './turn-progress.js'

/** What is known of an answer that did not stream. */
export interface WholeAnswerOptions extends AnswerOptions, Omit<Answer, 'content'> {
  readonly finish?: FinishReason
}

/**
 * Records one step: a model call and the tools that it asks for. Made by `TurnRecorder.step`. A call that does not fit
 * the state of the step throws RECORDER_STATE, and then, as after every other error, nothing was appended.
 */
export class StepRecorder {
  /** Number of the step in its turn. */
  readonly step: number
  readonly #log: TurnLog
  readonly #startSeq: number
  #headerGiven = false

  /** @param start the step's `step/start` */
  constructor(log: TurnLog, start: SessionEvent<'step/start'>) {
    this.#log = log
    this.#startSeq = start.seq
    this.step = start.data.step
    log.attemptFrom = start.seq
  }

  /** Tool calls of the step that wait for a result, in block order. */
  get openCalls(): readonly OpenToolCall[] {
    this.#open()
    return this.#log.progress.calls
  }

  /**
   * Records the header of the request that is about to be sent, in canonical form, if it is the first of the log or of
   * this process, or differs from the one in force.
   * @returns the event, or undefined when there was nothing to record
   */
  header(header: EpochHeader): SessionEvent<'request/header'> | undefined {
    this.#beforeRequest('the header before the request')
    const reason = headerReason(this.#session, header)
    const event = reason && this.#session.append('request/header', { header: canonicalHeader(header), reason })
    this.#headerGiven = true
    return event
  }

  /**
   * Records the capacity of the route that the request takes, if it differs from the last record. The header comes first,
   * and a capacity that changes under a header that did not is recorded together with the next one.
   * @returns the event, or undefined when there was nothing to record
   */
  context(context: RequestContext): SessionEvent<'request/context'> | undefined {
    this.#beforeRequest('the context before the request')
    if (!this.#headerGiven) throw this.#log.refusal('the header of the request first', 'a context')
    if (!isHeaderRecorded(this.#session, this.#startSeq) || !contextChanged(this.#session, context)) return undefined
    return this.#session.append('request/context', context)
  }

  /** Records one chunk of the answer as it streams in. */
  chunk(chunk: StreamChunk): SessionEvent<'assistant/chunk'> {
    const progress = this.#awaitingAnswer('a chunk')
    if (chunk.type !== 'usage' && this.#log.hasFailed(progress)) {
      throw this.#log.refusal('retry() after an attempt that failed', 'another chunk')
    }
    return this.#session.append('assistant/chunk', { ...this.#place, chunk })
  }

  /**
   * Gives the attempt in progress up, so that another can start: the chunks so far stay in the log and no message cites
   * them. A `finish` chunk with the failure, or as aborted where there is none, marks the end of an attempt that has not
   * reported its failure itself.
   */
  retry(failure?: LlmFailure): void {
    const progress = this.#awaitingAnswer('a retry')
    if (!this.#log.hasFailed(progress)) {
      const reason: FinishReason =
        failure === undefined ? { kind: 'aborted' } : { kind: 'error', failure: failureFacts(failure) }
      this.#session.append('assistant/chunk', { ...this.#place, chunk: { type: 'finish', reason } })
    }
    this.#log.attemptFrom = this.#session.seq
  }

  /**
   * Records the answer that the chunks of the attempt in progress amount to, whether or not the stream came to its end,
   * and cites them; without chunks it is the answer of a stream known to have been empty.
   * @throws INVALID_EVENT when the answer is none that the log accepts, for instance with two calls of one id
   */
  finish(options: AnswerOptions = {}): SessionEvent<'assistant/message'> {
    this.#awaitingAnswer('an answer')
    const { answer, sourceEventSeqs } = assembleAttempt(this.#attempt())
    return this.#answer(answer, options, { surfaceOp: 'append', sourceEventSeqs })
  }

  /**
   * Records an answer that did not stream; a string becomes one text block. Where it came from stays unrecorded.
   * @throws INVALID_EVENT as {@link StepRecorder.finish}
   */
  message(
    content: string | readonly ContentBlock[],
    { usage, finish, replayState, ...options }: WholeAnswerOptions = {},
  ): SessionEvent<'assistant/message'> {
    if (this.#log.isStreaming(this.#awaitingAnswer('an answer'))) {
      throw this.#log.refusal('finish() or retry() after chunks', 'an answer that did not stream')
    }
    const event = this.#answer({ content: blocks(content), usage, replayState }, options, { surfaceOp: 'append' })
    if (finish?.kind === 'max-tokens') this.#log.cut = true
    return event
  }

  /** Records that a tool is about to run. */
  call(callId: CallId): SessionEvent<'tool/call'> {
    const { name, arguments: text, callSeq } = this.#openCall(callId)
    if (callSeq !== undefined) throw this.#log.refusal('each call started once', `seq ${callSeq} for the same call`)
    return this.#session.append('tool/call', { ...this.#place, callId, name, arguments: text })
  }

  /**
   * Records the answer to a tool call; a string becomes one text block. Results come in any order, one for each call. A
   * call that was not started can only have an error for an answer.
   */
  result(
    callId: CallId,
    content: string | readonly ContentBlock[],
    options: ToolResultOptions = {},
  ): SessionEvent<'tool/result'> {
    const { callSeq } = this.#openCall(callId)
    const payload = resultPayload(this.#place, callId, content, options)
    if (callSeq === undefined && payload.message.content[0].isError !== true) {
      throw this.#log.refusal('a call that was started, or an error', `a result of ${JSON.stringify(callId)}`)
    }
    return this.#session.append('tool/result', payload, {
      surfaceOp: 'append',
      ...(callSeq !== undefined && { sourceEventSeqs: [callSeq] }),
    })
  }

  /** Ends the step. Its answer, if one has begun, is finished or given up, and every call is answered. */
  end(): SessionEvent<'step/end'> {
    this.#open()
    this.#log.requireQuiet()
    return this.#session.append('step/end', this.#place)
  }

  get #session() {
    return this.#log.session
  }

  get #place() {
    return { turn: this.#log.turn, step: this.step }
  }

  #open(): StepProgress {
    return this.#log.openStep(this.#startSeq, this.step)
  }

  #awaitingAnswer(found: string): StepProgress {
    const progress = this.#open()
    if (progress.messageSeq === undefined) return progress
    throw this.#log.refusal('one answer in a step', `${found} after the message at seq ${progress.messageSeq}`)
  }

  #beforeRequest(expected: string): void {
    const progress = this.#awaitingAnswer('a request')
    if (this.#log.isStreaming(progress)) throw this.#log.refusal(expected, 'chunks of its answer')
  }

  #attempt(): SessionEvent<'assistant/chunk'>[] {
    const chunks: SessionEvent<'assistant/chunk'>[] = []
    for (const event of this.#session.iterate(this.#log.attemptFrom)) {
      if (event.type !== 'assistant/chunk') continue
      if (event.data.turn === this.#log.turn && event.data.step === this.step) chunks.push(event)
    }
    return chunks
  }

  #answer(
    answer: Answer,
    options: AnswerOptions,
    intent: { readonly surfaceOp: 'append'; readonly sourceEventSeqs?: readonly number[] },
  ): SessionEvent<'assistant/message'> {
    const inForce = this.#session.requestHeader()?.config
    const { provider = inForce?.provider, model = inForce?.model, id } = options
    if (provider === undefined || model === undefined) {
      throw this.#log.refusal('a request header, or the provider and model of the answer', 'neither')
    }
    return this.#session.append(
      'assistant/message',
      answerPayload(this.#place, answer, { provider, model, id }),
      intent,
    )
  }

  #openCall(callId: CallId): OpenToolCall {
    this.#open()
    const call = this.#log.progress.calls.find(open => open.callId === callId && open.step === this.step)
    if (call !== undefined) return call
    throw this.#log.refusal('a call of this step that waits for its result', JSON.stringify(callId))
  }
}
