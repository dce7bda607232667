import { exactly, list, literal, type Shape, text } from './shape.js'

/** A whole todo list. */
export const todoWrite: Shape = exactly({
  todos: list(exactly({ content: text, status: literal('pending', 'in_progress', 'completed') })),
})
