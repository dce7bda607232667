import type { AssistantMessage, JsonValue } from '@dsh/llm'
import type { ProviderMetadata } from 'ai'

/** Whom a request goes to. */
export interface Route {
  readonly provider: string
  readonly model: string
}

/** What a provider wants back beside each block of an answer, such as the signature of its reasoning. */
export type Replay = readonly (ProviderMetadata | null)[]

/** The replay state of an answer; undefined where the provider wants nothing back. */
export function replayState(metadata: Replay): JsonValue | undefined {
  return metadata.some(entry => entry !== null) ? JSON.parse(JSON.stringify({ metadata })) : undefined
}

/**
 * What goes back beside each block of a message; undefined where another route has written it. Blocks that were left out
 * since would shift it, so nothing goes back then.
 */
export function replayOf({ source, content }: AssistantMessage, { provider, model }: Route): Replay | undefined {
  if (source.provider !== provider || source.model !== model) return undefined
  const { metadata } = (source.replayState ?? {}) as { readonly metadata?: Replay }
  return metadata?.length === content.length ? metadata : content.map(() => null)
}
