import { OfflineProvider } from './offline/provider.ts'
import type { Provider } from './provider.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What has to be said of a live provider. */
interface Requirements {
  /** The variable that holds its key, where `DSH_API_KEY` does not. */
  readonly key: string
  readonly needsKey: boolean
  readonly needsBaseUrl: boolean
  /** What is called where `DSH_MODEL` does not say. */
  readonly model?: string
}

const live: Readonly<Record<string, Requirements>> = {
  'openai-compatible': { key: 'OPENAI_API_KEY', needsKey: false, needsBaseUrl: true },
  anthropic: { key: 'ANTHROPIC_API_KEY', needsKey: true, needsBaseUrl: false },
  deepseek: { key: 'DEEPSEEK_API_KEY', needsKey: true, needsBaseUrl: false, model: 'deepseek-chat' },
}

/** Milliseconds between two tokens of the planner, about as fast as a model speaks. */
const TOKEN_DELAY_MS = 4

/**
 * The provider that the environment asks for: `DSH_PROVIDER` is `offline`, the default, or a live one; the README lists
 * the other variables.
 * @throws Error that says which variable is missing or wrong
 */
export async function chooseProvider(env: Environment): Promise<Provider> {
  const name = env.DSH_PROVIDER || 'offline'
  const contextWindow = tokens(env, 'DSH_CONTEXT_WINDOW')
  const maxTokens = tokens(env, 'DSH_MAX_TOKENS')
  const window = contextWindow === undefined ? {} : { contextWindow }
  const limit = maxTokens === undefined ? {} : { maxTokens }
  if (name === 'offline') return new OfflineProvider({ tokenDelayMs: TOKEN_DELAY_MS, ...window, ...limit })
  const wanted = Object.hasOwn(live, name) ? live[name] : undefined
  if (wanted === undefined) {
    const known = ['offline', ...Object.keys(live)].join(', ')
    throw new Error(`DSH_PROVIDER: expected one of ${known}, found ${JSON.stringify(name)}`)
  }
  const model = required(env.DSH_MODEL || wanted.model, 'DSH_MODEL')
  const apiKey = env.DSH_API_KEY || env[wanted.key]
  const baseURL = env.DSH_BASE_URL
  if (wanted.needsKey) required(apiKey, wanted.key)
  if (wanted.needsBaseUrl) required(baseURL, 'DSH_BASE_URL')
  // Loading the SDK takes longer than everything else.
  const [{ adapters }, { LiveProvider }] = await Promise.all([
    import('./live/adapters.ts'),
    import('./live/provider.ts'),
  ])
  const access = { ...(apiKey && { apiKey }), ...(baseURL && { baseURL }) }
  const config = { provider: name, model, ...limit }
  return new LiveProvider({ model: adapters[name]!(model, access), config, ...window })
}

function tokens(env: Environment, name: string): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new Error(`${name}: expected a number of tokens, found ${JSON.stringify(text)}`)
}

function required(value: string | undefined, name: string): string {
  if (value) return value
  throw new Error(`${name} is not set`)
}
