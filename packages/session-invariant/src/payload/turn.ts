import { failure } from './failure.js'
import { count, exactly, name, oneOf, type Shape, tagged, text } from './shape.js'
import { source } from './source.js'

/** What started a turn: exact for the known kinds, let through for others. */
export const trigger: Shape = tagged('kind', {
  message: exactly({ kind: name, source }),
  retry: exactly({ kind: name }),
  injection: exactly({ kind: name, source }),
})

const bare = exactly({ kind: name })
/** An error before the first step has step 0. */
const error = oneOf({
  failure: exactly({ kind: name, step: count, failure }),
  message: exactly({ kind: name, step: count, message: text }, { code: text }),
})

/** Why a turn ended: exact for the known kinds, let through for others. */
export const endReason: Shape = tagged('kind', {
  completed: bare,
  aborted: bare,
  disposed: bare,
  'max-tokens': bare,
  interrupted: bare,
  error,
})
