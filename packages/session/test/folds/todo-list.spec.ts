import { Session, todoList } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { eventList, foldEvents } from '../support/fold-events.js'

describe('todoList', () => {
  it('is the last list written, the very object in the log', () => {
    const session = new Session('s')
    expect(session.fold(todoList)).toEqual([])
    session.append('todo/write', { todos: [{ content: 'a', status: 'pending' }] })
    const { data } = session.append('todo/write', { todos: [{ content: 'b', status: 'completed' }] })
    expect(session.fold(todoList)).toBe(data.todos)
    session.append('todo/write', { todos: [] })
    expect(session.fold(todoList)).toEqual([])
  })

  it.each([null, 'x', {}, { todos: 'x' }])('keeps the list when a foreign log writes %j instead', data => {
    const todos = [{ content: 'a', status: 'pending' }]
    expect(foldEvents(todoList, eventList(['todo/write', { todos }], ['todo/write', data]))).toEqual(todos)
  })
})
