import { failure } from './failure.js'
import { count, exactly, name, type Problem, type Shape, tagged, text } from './shape.js'
import { source } from './source.js'

/** What started a turn: exact for the known kinds, let through for others. */
export const trigger: Shape = tagged('kind', {
  message: exactly({ kind: name, source }),
  retry: exactly({ kind: name }),
  injection: exactly({ kind: name, source }),
})

const bare = exactly({ kind: name })
const failed = exactly({ kind: name, step: count, failure })
const thrown = exactly({ kind: name, step: count, message: text }, { code: text })

/** An error before the first step has step 0. */
function error(found: unknown): Problem | undefined {
  const hasFailure = Object.hasOwn(found as object, 'failure')
  if (hasFailure === Object.hasOwn(found as object, 'message')) {
    return { path: '', expected: 'exactly one of failure and message', found: hasFailure ? 'both' : 'neither' }
  }
  return hasFailure ? failed(found) : thrown(found)
}

/** Why a turn ended: exact for the known kinds, let through for others. */
export const endReason: Shape = tagged('kind', {
  completed: bare,
  aborted: bare,
  disposed: bare,
  'max-tokens': bare,
  interrupted: bare,
  error,
})
