import { describe, expect, it } from 'vitest'
import { chooseProvider } from '../../src/model/choose-provider.ts'
import { LiveProvider } from '../../src/model/live/provider.ts'
import { OfflineProvider } from '../../src/model/offline/provider.ts'

describe('chooseProvider', () => {
  it('is offline where nothing is said', async () => {
    const provider = await chooseProvider({ DSH_CONTEXT_WINDOW: '5000', DSH_MAX_TOKENS: '300' })
    expect(provider).toBeInstanceOf(OfflineProvider)
    expect(provider).toMatchObject({
      contextWindow: 5000,
      config: { provider: 'offline', model: 'planner', maxTokens: 300 },
    })
  })

  it.each([
    ['openai-compatible', { DSH_MODEL: 'm', DSH_BASE_URL: 'http://127.0.0.1:1/v1' }, 'm'],
    ['anthropic', { DSH_MODEL: 'm', ANTHROPIC_API_KEY: 'k' }, 'm'],
    ['deepseek', { DEEPSEEK_API_KEY: 'k' }, 'deepseek-chat'],
    ['deepseek', { DSH_API_KEY: 'k', DSH_MODEL: 'other' }, 'other'],
  ])('calls %s', async (name, env, model) => {
    const provider = await chooseProvider({ DSH_PROVIDER: name, ...env })
    expect(provider).toBeInstanceOf(LiveProvider)
    expect(provider.config).toEqual({ provider: name, model })
    expect(provider.contextWindow).toBeUndefined()
  })

  it.each([
    [
      { DSH_PROVIDER: 'nobody' },
      'DSH_PROVIDER: expected one of offline, openai-compatible, anthropic, deepseek, found "nobody"',
    ],
    [{ DSH_PROVIDER: 'toString' }, 'found "toString"'],
    [{ DSH_PROVIDER: 'anthropic', DSH_MODEL: 'm' }, 'ANTHROPIC_API_KEY is not set'],
    [{ DSH_PROVIDER: 'anthropic', ANTHROPIC_API_KEY: 'k' }, 'DSH_MODEL is not set'],
    [{ DSH_PROVIDER: 'openai-compatible', DSH_MODEL: 'm' }, 'DSH_BASE_URL is not set'],
    [{ DSH_CONTEXT_WINDOW: 'large' }, 'DSH_CONTEXT_WINDOW: expected a number of tokens, found "large"'],
    [{ DSH_MAX_TOKENS: '0' }, 'DSH_MAX_TOKENS: expected a number of tokens'],
  ])('says what is wrong in %j', async (env, message) => {
    await expect(chooseProvider(env)).rejects.toThrow(message)
  })
})
