import { type InvariantRule, violation } from '@dsh/session-invariant'
import '../events.js'

/** What the open turn has seen so far. */
export interface TurnSoFar {
  readonly blocked: boolean
  readonly steps: boolean
}

const nothing: TurnSoFar = Object.freeze({ blocked: false, steps: false })

/** A rejected turn is one of which every prompt was blocked before the model was asked. State: the open turn so far. */
export const turnRejected: InvariantRule<TurnSoFar> = {
  name: 'turn-rejected',
  code: 'TURN_REJECTED',
  description: 'A turn that ends `rejected` says why, holds a blocked prompt and ran no step.',
  types: ['turn/start', 'step/start', 'prompt/blocked', 'turn/end'],
  initial: () => nothing,
  apply(state, event) {
    switch (event.type) {
      case 'step/start':
        return state.steps ? state : { ...state, steps: true }
      case 'prompt/blocked':
        return state.blocked ? state : { ...state, blocked: true }
      case 'turn/end': {
        const { reason } = event.data
        if (reason.kind !== 'rejected') return nothing
        if (typeof reason.reason !== 'string' || Object.keys(reason).length !== 2) {
          return violation('exactly a kind and the text of the block', 'other fields', nothing, 'data.reason')
        }
        if (state.steps) return violation('no step in a rejected turn', 'one', nothing, 'data.reason.kind')
        return state.blocked
          ? nothing
          : violation('a blocked prompt in a rejected turn', 'none', nothing, 'data.reason.kind')
      }
      default:
        return nothing
    }
  },
}
