import type { ContentBlock, ToolCallBlock, ToolResultBlock } from './content.js'
import { isToolCallBlock } from './content.js'
import { frozenCopy } from './freeze.js'
import type { CallId, MessageId } from './ids.js'
import { mintMessageId } from './ids.js'
import type { MessageSource, ModelSource, ToolSource } from './source.js'

/** Who speaks. */
export type Role = 'system' | 'user' | 'assistant'

/** How a person sees a message in a transcript. Never part of what the model gets. */
export interface Envelope {
  readonly label?: string
  readonly before?: string
  readonly after?: string
}

/** The one representation of a message, from delivery through the log to the provider. */
export interface Message {
  readonly id: MessageId
  readonly role: Role
  readonly source: MessageSource
  readonly content: readonly ContentBlock[]
  readonly envelope?: Envelope
}

/** A user-role message: a prompt, an injected context, or a tool's answer. */
export interface UserMessage extends Message {
  readonly role: 'user'
}

/** A model's answer, with the route it came by. */
export interface AssistantMessage extends Message {
  readonly role: 'assistant'
  readonly source: ModelSource
}

/** The answer to one tool call: exactly one tool-result block, whose `toolCallId` equals the source's `callId`. */
export interface ToolResultMessage extends UserMessage {
  readonly source: ToolSource
  readonly content: readonly [ToolResultBlock]
}

/** What a message constructor takes beside content and source. */
export interface MessageOptions {
  /** Minted when absent. */
  readonly id?: MessageId
  readonly envelope?: Envelope
}

/** The route of an {@link assistantMessage}: its source, with or without the tag. */
export type ModelRoute = Omit<ModelSource, 'kind'> & { readonly kind?: 'model' }

/**
 * A deep-frozen user-role message; a string becomes one text block. `source` defaults to a person. What is passed in
 * is copied, not frozen.
 * @throws TypeError when content, source or envelope is not made of plain objects and arrays
 */
export function userMessage(
  content: string | readonly ContentBlock[],
  options: MessageOptions & { readonly source?: MessageSource } = {},
): UserMessage {
  return message('user', options.source ?? { kind: 'user' }, content, options)
}

/**
 * A deep-frozen answer of a model; a string becomes one text block. What is passed in is copied, not frozen.
 * @throws TypeError when content, route or envelope is not made of plain objects and arrays
 */
export function assistantMessage(
  content: string | readonly ContentBlock[],
  route: ModelRoute,
  options: MessageOptions = {},
): AssistantMessage {
  return message('assistant', { ...route, kind: 'model' }, content, options)
}

/**
 * A deep-frozen answer to the call `callId`; a string becomes one text block. What is passed in is copied, not frozen.
 * @throws TypeError when the content is not made of plain objects and arrays
 */
export function toolResultMessage(
  callId: CallId,
  content: string | readonly ContentBlock[],
  options: MessageOptions & { readonly isError?: boolean } = {},
): ToolResultMessage {
  const result: ToolResultBlock = {
    type: 'tool-result',
    toolCallId: callId,
    content: blocks(content),
    isError: options.isError,
  }
  return message('user', { kind: 'tool', callId }, [result], options) as ToolResultMessage
}

/** The calls that a message makes, in block order. */
export function toolCalls(message: Pick<Message, 'content'>): ToolCallBlock[] {
  return message.content.filter(isToolCallBlock)
}

/**
 * The text that a person reads in a message: its text blocks, and those inside tool results, joined by line breaks.
 * Reasoning, calls, images and unknown kinds have none.
 */
export function messageText(message: Pick<Message, 'content'>): string {
  return texts(message.content).join('\n')
}

function texts(content: readonly ContentBlock[]): string[] {
  return content.flatMap(block => {
    if (block.type === 'text') return block.text
    return block.type === 'tool-result' ? texts(block.content) : []
  })
}

function blocks(content: string | readonly ContentBlock[]): readonly ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function message<R extends Role, S extends MessageSource>(
  role: R,
  source: S,
  content: string | readonly ContentBlock[],
  { id = mintMessageId(), envelope }: MessageOptions,
): Message & { readonly role: R; readonly source: S } {
  return frozenCopy({ id, role, source, content: blocks(content), envelope })
}
