import { content, toolAnswer } from './content.js'
import { exactly, literal, name, type Shape, text } from './shape.js'
import { modelSource, source, toolSource } from './source.js'

const envelope = { envelope: exactly({}, { label: text, before: text, after: text }) }

/** A user-role message. */
export const userMessage: Shape = exactly({ id: name, role: literal('user'), source, content }, envelope)

/** A model's answer. */
export const assistantMessage: Shape = exactly(
  { id: name, role: literal('assistant'), source: modelSource, content },
  envelope,
)

/** The answer to one tool call. */
export const toolResultMessage: Shape = exactly(
  { id: name, role: literal('user'), source: toolSource, content: toolAnswer },
  envelope,
)
