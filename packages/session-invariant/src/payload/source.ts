import { anything, exactly, name, type Shape, tagged } from './shape.js'

const model = exactly({ kind: name, provider: name, model: name }, { replayState: anything })
const tool = exactly({ kind: name, callId: name })

/** Where a message came from: exact for the known kinds, let through for others. */
export const source: Shape = tagged('kind', {
  user: exactly({ kind: name }),
  plugin: exactly({ kind: name, plugin: name }),
  model,
  tool,
})

/** The source of an assistant message. */
export const modelSource: Shape = model

/** The source of a tool's answer. */
export const toolSource: Shape = tool
