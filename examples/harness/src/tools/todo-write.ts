import type { JsonValue } from '@dsh/llm'
import type { TodoItem } from '@dsh/session'
import { type Tool, ToolError } from './tool.ts'

const statuses: readonly unknown[] = ['pending', 'in_progress', 'completed']

/** Replaces the session's todo list. */
export const todoWrite: Tool = {
  schema: {
    name: 'todo_write',
    description: 'Replaces your todo list, which the person sees. Use it for work of several steps.',
    parameters: {
      type: 'object',
      properties: {
        todos: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              content: { type: 'string', description: 'What to do, as a short imperative line.' },
              status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
            },
            required: ['content', 'status'],
            additionalProperties: false,
          },
        },
      },
      required: ['todos'],
      additionalProperties: false,
    },
  },
  hasEffects: false,
  run({ todos }, { session }) {
    if (!Array.isArray(todos)) throw new ToolError('INVALID_ARGUMENTS', 'Argument "todos": expected a list.')
    session.append('todo/write', { todos: todos.map(todoItem) })
    return { text: `${todos.length} entries.` }
  },
}

function todoItem(value: JsonValue, index: number): TodoItem {
  const { content, status } = (value ?? {}) as { readonly content?: unknown; readonly status?: unknown }
  if (typeof content === 'string' && statuses.includes(status)) return { content, status: status as TodoItem['status'] }
  throw new ToolError('INVALID_ARGUMENTS', `Entry ${index}: expected a content and one of ${statuses.join(', ')}.`)
}
