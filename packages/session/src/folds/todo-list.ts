import type { FoldDefinition } from '../fold.js'
import type { TodoItem } from '../todo.js'
import { payloadField } from './payload.js'

/** The current todo list: the last one written, whole; empty before the first. */
export const todoList: FoldDefinition<readonly TodoItem[]> = {
  initial: () => [],
  types: ['todo/write'],
  apply(list, event) {
    const todos = payloadField(event.data, 'todos')
    return event.type === 'todo/write' && Array.isArray(todos) ? todos : list
  },
}
