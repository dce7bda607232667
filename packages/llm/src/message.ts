import type { ContentBlock, ToolResultBlock } from './content.js'
import type { MessageId } from './ids.js'
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
