import { type EpochHeader, headerEquals } from '@dsh/session'
import { boundaryTypes, describePosition, move, outside, type Position } from '../position.js'
import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** The header in force, and what is open. */
export interface HeaderState {
  readonly position: Position
  readonly header?: EpochHeader
}

/**
 * The log holds a header where the request needs one and no copies: the first as `initial`, the first of a resumed loop
 * as `resume`, others only as a `change` that is one. State: the header in force and what is open.
 */
export const requestHeader: InvariantRule<HeaderState> = {
  name: 'request-header',
  code: 'REQUEST_HEADER',
  description:
    'A request header lies inside a step; its reason is `initial` exactly when none came before, otherwise `resume`, or `change` where it differs from the one in force.',
  types: [...boundaryTypes, 'request/header'],
  initial: () => ({ position: outside }),
  apply(state, event) {
    if (event.type !== 'request/header') return { ...state, position: move(state.position, event) }
    const { header, reason } = event.data
    const next = { ...state, header }
    if (state.position.step === 0) {
      return violation('an open step', `request/header in ${describePosition(state.position)}`, next, 'type')
    }
    if ((reason === 'initial') !== (state.header === undefined)) {
      const found = `${JSON.stringify(reason)} ${state.header === undefined ? 'before any' : 'after another'} header`
      return violation('reason "initial" on the first header and on no other', found, next, 'data.reason')
    }
    if (reason === 'change' && state.header !== undefined && headerEquals(state.header, header)) {
      return violation('a header that differs from the one in force', 'an equal one', next, 'data.header')
    }
    return next
  },
}
