import { describe, expect, it } from 'vitest'
import { todo } from '../../src/rules/todo.js'
import { brokenBy, complaints } from '../support/broken-by.js'
import { raw } from '../support/draft.js'

describe('todo', () => {
  it('accepts lists of every status, and an empty one', () => {
    const todos = ['pending', 'in_progress', 'completed'].map(status => ({ content: 'Write it', status }))
    expect(brokenBy(todo, raw('todo/write', { todos }), raw('todo/write', { todos: [] }))).toEqual([])
  })

  it.each([
    [null, 'expected an object, found null at data'],
    [{}, 'expected a value, found none at data.todos'],
    [{ todos: {} }, 'expected a list, found an object at data.todos'],
    [{ todos: [], more: true }, 'expected no such field, found true at data.more'],
    [{ todos: [{ content: 'a' }] }, 'expected a value, found none at data.todos[0].status'],
    [
      { todos: [{ content: 'a', status: 'done' }] },
      'expected "pending" or "in_progress" or "completed", found "done" at data.todos[0].status',
    ],
    [{ todos: [{ content: 1, status: 'pending' }] }, 'expected a string, found 1 at data.todos[0].content'],
    [
      { todos: [{ content: 'a', status: 'pending', id: 'x' }] },
      'expected no such field, found "x" at data.todos[0].id',
    ],
  ])('refuses %j', (data, complaint) => {
    expect(complaints(todo, raw('todo/write', data))).toEqual([complaint])
  })
})
