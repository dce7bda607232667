import type { ContentBlock, JsonValue, TokenUsage, ToolCallBlock } from '@dsh/llm'

/** One answer of a model, as a transcript tells it. */
export interface Answer {
  readonly content: readonly ContentBlock[]
  readonly provider: string
  readonly model: string
  readonly usage?: TokenUsage | undefined
  /** When the request was made, where the transcript tells it; Unix epoch milliseconds. */
  readonly startedAt?: number | undefined
  /**
   * How the model stopped where it did not end the answer itself. The calls of an answer that was cut off by `aborted`
   * or `error` were not started.
   */
  readonly stop?: 'max-tokens' | 'aborted' | 'error' | undefined
}

/** What a tool answered. */
export interface ToolAnswer {
  readonly callId: string
  readonly content: readonly ContentBlock[]
  readonly isError?: boolean | undefined
  /** Structured output for display. */
  readonly meta?: JsonValue | undefined
}

/** The calls of an answer, and its content without those that repeat the id of another. */
export function splitCalls(content: readonly ContentBlock[]): {
  readonly content: readonly ContentBlock[]
  readonly calls: readonly ToolCallBlock[]
  readonly repeated: readonly ToolCallBlock[]
} {
  const calls = new Map<string, ToolCallBlock>()
  const repeated: ToolCallBlock[] = []
  const kept = content.filter(block => {
    if (block.type !== 'tool-call') return true
    if (calls.has(block.id)) {
      repeated.push(block)
      return false
    }
    calls.set(block.id, block)
    return true
  })
  return { content: kept, calls: [...calls.values()], repeated }
}
