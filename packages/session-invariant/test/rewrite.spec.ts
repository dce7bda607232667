import { expect, it } from 'vitest'
import { isRewrite } from '../src/rewrite.js'
import { logOf, raw, user } from './support/draft.js'

it('tells rewrites of the surface from what is appended to it or lies beside it', () => {
  const log = logOf(user(), user('Hi', { op: 'replace', start: 0, end: 0 }), raw('acme/note'), raw('user/message'))
  expect(log.map(isRewrite)).toEqual([false, true, false, false])
})
