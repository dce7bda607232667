import { block } from './content.js'
import { failure } from './failure.js'
import { anything, count, exactly, name, type Shape, tagged, text } from './shape.js'
import { usage } from './usage.js'

/** Why a model stopped: exact for the known kinds, let through for others. */
const finishReason: Shape = tagged('kind', {
  stop: exactly({ kind: name }),
  'tool-calls': exactly({ kind: name }),
  'max-tokens': exactly({ kind: name }),
  aborted: exactly({ kind: name }),
  error: exactly({ kind: name, failure }),
})

const delta = exactly({ type: name, index: count, text })

/** A stream chunk: exact for the known kinds, let through for others. */
export const chunk: Shape = tagged('type', {
  'block-start': exactly({ type: name, index: count, blockType: name }),
  'text-delta': delta,
  'reasoning-delta': delta,
  'tool-call-delta': exactly({ type: name, index: count, id: name, argumentsDelta: text }, { name: text }),
  'block-end': exactly({ type: name, index: count, block }),
  usage: exactly({ type: name, usage }),
  finish: exactly({ type: name, reason: finishReason }, { replayState: anything }),
})
