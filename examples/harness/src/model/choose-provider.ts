import { createAnthropic } from '@ai-sdk/anthropic'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { LiveProvider } from './live/provider.ts'
import { OfflineProvider } from './offline/provider.ts'
import type { Provider } from './provider.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface Adapter {
  /** The variable with the key, beside DSH_API_KEY. */
  readonly key: string
  /** What is called where DSH_MODEL does not say. */
  readonly model?: string
  create(model: string, apiKey: string | undefined, baseURL: string | undefined): LanguageModel
}

const adapters: Readonly<Record<string, Adapter>> = {
  'openai-compatible': {
    key: 'OPENAI_API_KEY',
    create: (model, apiKey, baseURL) =>
      createOpenAICompatible({
        name: 'openai-compatible',
        baseURL: required(baseURL, 'DSH_BASE_URL'),
        includeUsage: true,
        ...(apiKey !== undefined && { apiKey }),
      })(model),
  },
  anthropic: {
    key: 'ANTHROPIC_API_KEY',
    create: (model, apiKey, baseURL) =>
      createAnthropic({ apiKey: required(apiKey, 'ANTHROPIC_API_KEY'), ...(baseURL !== undefined && { baseURL }) })(
        model,
      ),
  },
  deepseek: {
    key: 'DEEPSEEK_API_KEY',
    model: 'deepseek-chat',
    create: (model, apiKey, baseURL) =>
      createDeepSeek({ apiKey: required(apiKey, 'DEEPSEEK_API_KEY'), ...(baseURL !== undefined && { baseURL }) })(
        model,
      ),
  },
}

/** Milliseconds between two tokens of the planner, about as fast as a model speaks. */
const TOKEN_DELAY_MS = 4

/**
 * The provider that the environment asks for: `DSH_PROVIDER` is `offline` (the default), or one of the live ones; the rest
 * is listed in the README.
 * @throws Error that says which variable is missing or wrong
 */
export function chooseProvider(env: Environment): Provider {
  const name = env.DSH_PROVIDER ?? 'offline'
  const contextWindow = tokens(env, 'DSH_CONTEXT_WINDOW')
  const maxTokens = tokens(env, 'DSH_MAX_TOKENS')
  const limits = {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxTokens !== undefined && { maxTokens }),
  }
  if (name === 'offline') return new OfflineProvider({ tokenDelayMs: TOKEN_DELAY_MS, ...limits })
  const adapter = Object.hasOwn(adapters, name) ? adapters[name] : undefined
  if (adapter === undefined) {
    const known = ['offline', ...Object.keys(adapters)].join(', ')
    throw new Error(`DSH_PROVIDER: expected one of ${known}, found ${JSON.stringify(name)}`)
  }
  const model = required(env.DSH_MODEL ?? adapter.model, 'DSH_MODEL')
  return new LiveProvider({
    model: adapter.create(model, env.DSH_API_KEY ?? env[adapter.key], env.DSH_BASE_URL),
    config: { provider: name, model, ...(maxTokens !== undefined && { maxTokens }) },
    ...(contextWindow !== undefined && { contextWindow }),
  })
}

function tokens(env: Environment, name: string): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new Error(`${name}: expected a number of tokens, found ${JSON.stringify(text)}`)
}

function required(value: string | undefined, name: string): string {
  if (value !== undefined && value !== '') return value
  throw new Error(`${name} is not set`)
}
