import type { SessionId } from '@dsh/session'
import { expect, it } from 'vitest'
import { Changes } from '../src/changes.js'

const [a, b] = ['a', 'b'] as string[] as [SessionId, SessionId]

it('tells those who listen to a session, and no others, until they stop', () => {
  const changes = new Changes()
  const heard: string[] = []
  const ends = [a, a, b].map((id, index) => changes.listen(id, () => heard.push(`${id}${index}`)))
  changes.notify(a)
  expect(heard.splice(0)).toEqual(['a0', 'a1'])
  ends[0]!()
  ends[0]!()
  changes.notify(a)
  changes.notify(b)
  expect(heard.splice(0)).toEqual(['a1', 'b2'])
  for (const end of ends) end()
  changes.notify(a)
  expect(heard).toEqual([])
})

it('keeps a listener that comes while an earlier one ends twice', () => {
  const changes = new Changes()
  let heard = 0
  const end = changes.listen(a, () => {})
  end()
  changes.listen(a, () => heard++)
  end()
  changes.notify(a)
  expect(heard).toBe(1)
})
