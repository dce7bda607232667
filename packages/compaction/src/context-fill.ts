import { type TokenUsage, totalTokens } from '@dsh/llm'
import { contextWindow, type FoldDefinition, type SessionView } from '@dsh/session'

/**
 * How full the context is, as a fraction of the capacity in force: the tokens of the last answered request, its answer
 * included, which the next request repeats. Undefined while the capacity or the usage is unknown, and after a rewrite of
 * the surface until the next request.
 */
export function contextFill(view: SessionView): number | undefined {
  const capacity = view.fold(contextWindow).inForce
  const usage = view.fold(lastUsage)
  return capacity && usage && totalTokens(usage) / capacity.contextWindow
}

const lastUsage: FoldDefinition<TokenUsage | undefined> = {
  initial: () => undefined,
  types: ['assistant/chunk', 'user/message', 'assistant/message', 'tool/result', 'steering/message'],
  deltas: false,
  apply(usage, event) {
    if ('surfaceOp' in event && event.surfaceOp !== 'append') return undefined
    if (event.type === 'assistant/message') return event.data.usage ?? usage
    return event.type === 'assistant/chunk' && event.data.chunk.type === 'usage' ? event.data.chunk.usage : usage
  },
}
