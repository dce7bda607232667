import { describe, expect, it } from 'vitest'
import { formatSearchCursor, parseSearchCursor } from '../../src/search/search-cursor.js'

describe('parseSearchCursor', () => {
  it('reads what was written', () => {
    for (const place of [
      { offset: 0, lastId: 0 },
      { offset: 20, lastId: 9_007_199_254_740_991 },
    ]) {
      expect(parseSearchCursor(formatSearchCursor(place))).toEqual(place)
    }
  })

  it.each(['', 'x', '[]', '[1]', '[1,2,3]', '[-1,2]', '[1.5,2]', '["1",2]', '{"offset":1,"lastId":2}', 'null'])(
    'refuses %j',
    cursor => {
      expect(() => parseSearchCursor(cursor)).toThrow(expect.objectContaining({ code: 'INVALID_BOUNDARY' }))
    },
  )
})
