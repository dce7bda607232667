import { todoWrite } from '../payload/todo.js'
import type { InvariantRule } from '../rule.js'
import { violation } from '../violation.js'

/** A todo list is written whole, in the shape that readers expect. Stateless. */
export const todo: InvariantRule<undefined> = {
  name: 'todo',
  code: 'TODO_SHAPE',
  description:
    'A todo list consists of entries with exactly a `content` and a status of `pending`, `in_progress` or `completed`.',
  types: ['todo/write'],
  initial: () => undefined,
  apply(state, event) {
    if (event.type !== 'todo/write') return state
    const problem = todoWrite(event.data)
    return problem === undefined ? state : violation(problem.expected, problem.found, state, `data${problem.path}`)
  },
}
