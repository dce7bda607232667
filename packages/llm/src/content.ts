import type { CallId } from './ids.js'

/** Visible text. */
export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

/** The model's own reasoning, as far as the provider shows it. */
export interface ReasoningBlock {
  readonly type: 'reasoning'
  readonly text: string
}

/** An image: inline base64 `data`, or a `ref` that the host resolves. `mediaType` is an IANA media type. */
export type ImageBlock =
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly ref: string }

/** A tool call that the model asked for. `arguments` is JSON text exactly as the model wrote it, unparsed. */
export interface ToolCallBlock {
  readonly type: 'tool-call'
  readonly id: CallId
  readonly name: string
  readonly arguments: string
}

/** The answer to one tool call. */
export interface ToolResultBlock {
  readonly type: 'tool-result'
  readonly toolCallId: CallId
  readonly content: readonly ContentBlock[]
  readonly isError?: boolean
}

/**
 * The kinds of content block by their tag. Merge-extensible: a plugin adds a kind by declaration merging on
 * `@dsh/llm`, and code that switches on the tag lets through what it does not know.
 */
export interface ContentBlockMap {
  text: TextBlock
  reasoning: ReasoningBlock
  image: ImageBlock
  'tool-call': ToolCallBlock
  'tool-result': ToolResultBlock
}

/** One block of a message's content. */
export type ContentBlock = ContentBlockMap[keyof ContentBlockMap]

/** Whether a block is a tool call. */
export function isToolCallBlock(block: ContentBlock): block is ToolCallBlock {
  return block.type === 'tool-call'
}

/** Whether a block is a tool result. */
export function isToolResultBlock(block: ContentBlock): block is ToolResultBlock {
  return block.type === 'tool-result'
}
