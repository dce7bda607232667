import { jsonEquals } from './json.js'

/** What a conversation asks of a model beside its messages, system prompt and tools. */
export interface LlmCallConfig {
  readonly provider: string
  readonly model: string
  readonly reasoningEffort?: string
  readonly temperature?: number
  readonly maxTokens?: number
  readonly stop?: readonly string[]
}

/**
 * Whether two configurations ask for the same. Key order does not count, the order of `stop` does; an `undefined` field
 * equals an absent one. Fields that this version does not know are compared too.
 */
export function llmCallConfigEquals(a: LlmCallConfig, b: LlmCallConfig): boolean {
  return jsonEquals(a, b)
}
