import type { SessionEvent } from '@dsh/session'
import { describe, expect, it } from 'vitest'
import { eventFilter } from '../../src/reading/event-filter.js'

function matching(type: readonly string[], skipChunks = false): string[] {
  const types = ['turn/start', 'tool/call', 'tool/result', 'assistant/chunk', 'a.b/c(d)']
  const matches = eventFilter({ type, skipChunks })
  return types.filter(each => matches({ type: each } as unknown as SessionEvent))
}

describe('eventFilter', () => {
  it('lets all through when nothing is asked for', () => {
    expect(matching([])).toHaveLength(5)
  })

  it('takes types as they are, with stars for anything', () => {
    expect(matching(['tool/call'])).toEqual(['tool/call'])
    expect(matching(['tool/*'])).toEqual(['tool/call', 'tool/result'])
    expect(matching(['*/start', '*k'])).toEqual(['turn/start', 'assistant/chunk'])
    expect(matching(['tool'])).toEqual([])
    expect(matching(['a.b/c(d)'])).toEqual(['a.b/c(d)'])
    expect(matching(['a?b/*'])).toEqual([])
    expect(matching(['.*'])).toEqual([])
  })

  it('leaves chunks out, also those that are asked for', () => {
    expect(matching([], true)).not.toContain('assistant/chunk')
    expect(matching(['*'], true)).not.toContain('assistant/chunk')
  })
})
