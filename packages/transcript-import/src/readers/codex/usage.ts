import type { TokenUsage } from '@dsh/llm'
import type { Fields } from '../../fields.js'
import { disjointUsage } from '../../usage.js'

/** The capacity of the route, in tokens. */
export function readWindow(event: Fields): number | undefined {
  const size = event.number('model_context_window')
  return size !== undefined && Number.isSafeInteger(size) && size > 0 ? size : undefined
}

/** The counts of one response, of which some include others. */
export function readUsage(usage: Fields): TokenUsage | undefined {
  const [input, output] = [usage.count('input_tokens'), usage.count('output_tokens')]
  usage.sum('total_tokens', input, output)
  return disjointUsage({
    input,
    output,
    cacheRead: usage.count('cached_input_tokens'),
    cacheWrite: usage.count('cache_write_input_tokens'),
    reasoning: usage.count('reasoning_output_tokens'),
    inputHasCacheRead: true,
    inputHasCacheWrite: true,
    outputHasReasoning: true,
  })
}
