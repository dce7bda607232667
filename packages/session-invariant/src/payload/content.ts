import { exactly, flag, list, literal, name, oneOf, type Problem, type Shape, tagged, text, under } from './shape.js'

/** A content block: exact for the known kinds, let through for others. */
export const block: Shape = tagged('type', {
  text: exactly({ type: name, text }),
  reasoning: exactly({ type: name, text }),
  image: oneOf({
    data: exactly({ type: name, mediaType: name, data: text }),
    ref: exactly({ type: name, mediaType: name, ref: name }),
  }),
  'tool-call': exactly({ type: name, id: name, name, arguments: text }),
  'tool-result': exactly({ type: name, toolCallId: name, content }, { isError: flag }),
})

/** The content of a message or of a tool's answer. A function, because blocks nest. */
export function content(found: unknown): Problem | undefined {
  return blocks(found)
}

/** Exactly one tool-result block. */
export function toolAnswer(found: unknown): Problem | undefined {
  const problem = blocks(found)
  if (problem !== undefined) return problem
  const { length, 0: answer } = found as readonly { type: string }[]
  if (length !== 1) return { path: '', expected: 'exactly one block', found: `${length}` }
  const kind = isAnswer(answer?.type)
  return kind && under('[0].type', kind)
}

const blocks = list(block)
const isAnswer = literal('tool-result')
