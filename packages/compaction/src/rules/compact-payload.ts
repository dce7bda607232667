import { type InvariantRule, shape, violation } from '@dsh/session-invariant'
import '../events.js'

const { content, count, exactly, name, tagged, text, usage } = shape
const range = { start: count, end: count }

const shapes: Readonly<Record<string, shape.Shape>> = {
  'compact/start': exactly(range),
  'compact/summary': exactly({ ...range, summary: content }, { usage }),
  'compact/end': exactly({
    ...range,
    outcome: tagged('kind', {
      replaced: exactly({ kind: name, seq: count }),
      aborted: exactly({ kind: name }),
      failed: exactly({ kind: name, message: text }),
    }),
  }),
}

/** The payloads have exactly the declared fields. Stateless. */
export const compactPayload: InvariantRule<undefined> = {
  name: 'compact-payload',
  code: 'COMPACT_PAYLOAD',
  description: 'The payloads of compaction events have exactly the declared fields.',
  types: Object.keys(shapes),
  initial: () => undefined,
  apply(state, event) {
    const problem = shapes[event.type]?.(event.data)
    return problem && violation(problem.expected, problem.found, state, `data${problem.path}`)
  },
}
