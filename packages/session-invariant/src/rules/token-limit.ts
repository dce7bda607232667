import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** Whether a step of the turn was cut at its token limit, and whether the open step looks so far as if it was. */
export interface TokenLimit {
  readonly turnCut: boolean
  readonly stepCut: boolean
}

const uncut: TokenLimit = Object.freeze({ turnCut: false, stepCut: false })

/**
 * A turn of which a step was cut does not count as completed, even if it went on. The last `finish` of a step decides, so
 * that an attempt that was made again does not count.
 */
export const tokenLimit: InvariantRule<TokenLimit> = {
  name: 'token-limit',
  code: 'TOKEN_LIMIT',
  description: 'A turn never ends `completed` when a step of it was cut at its token limit.',
  types: ['turn/start', 'assistant/chunk', 'step/end', 'turn/end'],
  deltas: false,
  initial: () => uncut,
  apply(state, event) {
    switch (event.type) {
      case 'turn/start':
        return uncut
      case 'assistant/chunk': {
        const { chunk } = event.data
        if (chunk.type !== 'finish') return state
        const stepCut = chunk.reason.kind === 'max-tokens'
        return stepCut === state.stepCut ? state : { ...state, stepCut }
      }
      case 'step/end':
        return state.stepCut ? { turnCut: true, stepCut: false } : state
      case 'turn/end':
        if (event.data.reason.kind !== 'completed' || !(state.turnCut || state.stepCut)) return uncut
        return violation(
          'reason "max-tokens" after a step cut at its token limit',
          '"completed"',
          uncut,
          'data.reason.kind',
        )
      default:
        return state
    }
  },
}
