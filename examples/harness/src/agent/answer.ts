import { setTimeout as delay } from 'node:timers/promises'
import type { AssistantMessage, FinishReason } from '@dsh/llm'
import type { Session, StepRecorder } from '@dsh/session'
import { isPassing } from '../model/provider.ts'
import type { LoopSetup } from './setup.ts'

/** What a step's model call came to. */
export interface StepAnswer {
  readonly message: AssistantMessage
  /** Whether it was cut at the output limit. */
  readonly isCut: boolean
}

/**
 * Streams the answer to the history as it is into the log. A request that fails for the moment is sent again.
 * @throws the `LlmFailure` of a request that failed for good, or the signal's reason
 */
export async function streamAnswer(
  step: StepRecorder,
  session: Session,
  { provider, limits }: Pick<LoopSetup, 'provider' | 'limits'>,
  signal: AbortSignal,
): Promise<StepAnswer> {
  // As the log has it, not as it was given: what is sent is what the log says was sent.
  const request = { header: session.requestHeader()!, messages: session.deriveMessages() }
  for (let attempt = 0; ; attempt++) {
    let finish: FinishReason | undefined
    let [hasText, hasCall] = [false, false]
    for await (const chunk of provider.stream(request, signal)) {
      step.chunk(chunk)
      if (chunk.type === 'finish') finish = chunk.reason
      hasText ||= chunk.type === 'text-delta'
      hasCall ||= chunk.type === 'tool-call-delta'
    }
    if (signal.aborted) {
      // What the person has read stays in the history; a call that was cut short would be of no use there.
      if (hasText && !hasCall) step.finish()
      throw signal.reason
    }
    if (finish?.kind !== 'error') {
      return { message: step.finish().data.message, isCut: finish?.kind === 'max-tokens' }
    }
    const { failure } = finish
    if (attempt === limits.retries || !isPassing(failure)) throw failure
    step.retry()
    await delay(failure.providerRetryAfterMs ?? limits.retryDelayMs * 2 ** attempt, undefined, { signal })
  }
}
