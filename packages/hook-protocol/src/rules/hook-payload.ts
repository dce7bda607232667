import { type InvariantRule, shape, violation } from '@dsh/session-invariant'
import '../events.js'

const { content, exactly, literal, name, number, ordinal, source, text } = shape
const hook = { turn: ordinal, point: name, handlerId: name }

const shapes: Readonly<Record<string, shape.Shape>> = {
  'prompt/blocked': exactly({ content, source, reason: text }),
  'hook/invoked': exactly(hook, { dialect: text, matcher: text }),
  'hook/result': exactly(
    { ...hook, decision: literal('pass', 'allow', 'ask', 'block', 'failed') },
    { exitCode: number, stderrSummary: text, durationMs: number },
  ),
}

/** The payloads have exactly the declared fields. Stateless. */
export const hookPayload: InvariantRule<undefined> = {
  name: 'hook-payload',
  code: 'HOOK_PAYLOAD',
  description: 'The payloads of blocked prompts, hook invocations and hook results have exactly the declared fields.',
  types: Object.keys(shapes),
  initial: () => undefined,
  apply(state, event) {
    const problem = shapes[event.type]?.(event.data)
    return problem && violation(problem.expected, problem.found, state, `data${problem.path}`)
  },
}
