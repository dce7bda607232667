import { todoList } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { todoWrite } from '../../src/tools/todo-write.ts'
import { contextOf } from '../support/workspace.ts'

describe('todo_write', () => {
  it('replaces the list of the session, with nothing but what a list holds', async () => {
    const context = contextOf(import.meta.dirname)
    await todoWrite.run({ todos: [{ content: 'one', status: 'pending', extra: 1 }] }, context)
    await todoWrite.run({ todos: [{ content: 'two', status: 'completed' }] }, context)
    expect(context.session.fold(todoList)).toEqual([{ content: 'two', status: 'completed' }])
    expect([...context.session].map(event => event.data)).toEqual([
      { todos: [{ content: 'one', status: 'pending' }] },
      { todos: [{ content: 'two', status: 'completed' }] },
    ])
  })

  it.each([
    [{}],
    [{ todos: 'one' }],
    [{ todos: [null] }],
    [{ todos: [{ content: 'x', status: 'done' }] }],
    [{ todos: [{ status: 'pending' }] }],
  ])('refuses %j, and records nothing', args => {
    const context = contextOf(import.meta.dirname)
    expect(() => todoWrite.run(args, context)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENTS' }))
    expect(context.session.seq).toBe(0)
  })
})
