import {
  assembleChunks,
  type CallId,
  type ContentBlock,
  type JsonValue,
  type MessageId,
  mintMessageId,
  type TokenUsage,
  type ToolResultMessage,
} from '@dsh/llm'
import { SessionError } from '../error.js'
import type { SessionEvent, SessionEventMap } from '../event.js'
import { payloadField } from '../folds/payload.js'

/** Where an answer comes from and under what id it is recorded. */
export interface AnswerOptions {
  /** Provider route; that of the header in force where absent. */
  readonly provider?: string
  /** Model id; that of the header in force where absent. */
  readonly model?: string
  /** Minted where absent. */
  readonly id?: MessageId
}

/** What a model answered. */
export interface Answer {
  readonly content: readonly ContentBlock[]
  readonly usage?: TokenUsage
  readonly replayState?: JsonValue
}

/** What the chunks of one attempt amount to, and their sequence numbers. */
export function assembleAttempt(chunks: readonly SessionEvent<'assistant/chunk'>[]): {
  readonly answer: Answer
  readonly sourceEventSeqs: readonly number[]
} {
  const answer = assembleChunks(chunks.map(event => event.data.chunk))
  return { answer, sourceEventSeqs: chunks.map(event => event.seq) }
}

/**
 * The payload of an `assistant/message`.
 * @throws INVALID_EVENT when two calls of the answer have one id: nobody could tell their results apart
 */
export function answerPayload(
  place: { readonly turn: number; readonly step: number },
  { content, usage, replayState }: Answer,
  { provider, model, id = mintMessageId() }: Required<Pick<AnswerOptions, 'provider' | 'model'>> & AnswerOptions,
): SessionEventMap['assistant/message'] {
  refuseRepeatedCalls(content)
  const source = { kind: 'model', provider, model, ...(replayState !== undefined && { replayState }) } as const
  return { ...place, message: { id, role: 'assistant', source, content }, ...(usage !== undefined && { usage }) }
}

/** What a tool answered beside its content. */
export interface ToolResultOptions {
  /** Whether the content tells of a failure; that is so where absent if `error` is given. */
  readonly isError?: boolean
  /** The failure behind the content, for programs. */
  readonly error?: { readonly name: string; readonly code: string }
  /** The tool's own JSON, for whoever presents the result. */
  readonly meta?: JsonValue
  /** Minted where absent. */
  readonly id?: MessageId
}

/** The payload of a `tool/result`; a string becomes one text block. */
export function resultPayload(
  place: { readonly turn: number; readonly step: number },
  callId: CallId,
  content: string | readonly ContentBlock[],
  { error, isError = error === undefined ? undefined : true, meta, id = mintMessageId() }: ToolResultOptions,
): SessionEventMap['tool/result'] {
  const message: ToolResultMessage = {
    id,
    role: 'user',
    source: { kind: 'tool', callId },
    content: [
      { type: 'tool-result', toolCallId: callId, content: blocks(content), ...(isError !== undefined && { isError }) },
    ],
  }
  return { ...place, message, ...(error !== undefined && { error }), ...(meta !== undefined && { meta }) }
}

/** Content as blocks; a string becomes one text block. */
export function blocks(content: string | readonly ContentBlock[]): readonly ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function refuseRepeatedCalls(content: readonly ContentBlock[]): void {
  const seen = new Set<unknown>()
  for (const [index, block] of content.entries()) {
    const id = payloadField(block, 'type') === 'tool-call' ? payloadField(block, 'id') : undefined
    if (id !== undefined && seen.has(id)) {
      throw new SessionError('INVALID_EVENT', {
        expected: 'call ids that are unique in their message',
        found: `${JSON.stringify(id)} again`,
        path: `data.message.content[${index}].id`,
      })
    }
    seen.add(id)
  }
}
