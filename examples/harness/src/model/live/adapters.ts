import { createAnthropic } from '@ai-sdk/anthropic'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'

/** How a model is reached. */
export interface Access {
  readonly apiKey?: string
  readonly baseURL?: string
}

/** The adapters of the SDK, by the name of the provider. */
export const adapters: Readonly<Record<string, (model: string, access: Access) => LanguageModel>> = {
  'openai-compatible': (model, { baseURL = '', ...access }) =>
    createOpenAICompatible({ name: 'openai-compatible', baseURL, includeUsage: true, ...access })(model),
  anthropic: (model, access) => createAnthropic(access)(model),
  deepseek: (model, access) => createDeepSeek(access)(model),
}
