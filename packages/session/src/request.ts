import type { LlmCallConfig, ToolSchema } from '@dsh/llm'

/**
 * What a model request is made of beside the messages. In canonical form an empty system prompt and an empty tool list
 * are absent.
 */
export interface EpochHeader {
  readonly config: LlmCallConfig
  /** Rendered system prompt. */
  readonly system?: string
  /** Tools in the order in which the model sees them. */
  readonly tools?: readonly ToolSchema[]
}

/** Why a header was recorded: the first of the log, the first of a resumed loop, or a change. */
export type RequestHeaderReason = 'initial' | 'resume' | 'change'

/** Context capacity of one resolved model route. Adapter metadata, not an input of the request. */
export interface RequestContext {
  readonly provider: string
  readonly model: string
  /** Maximum of request and response together, in tokens. */
  readonly contextWindow: number
}
