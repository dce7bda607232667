import { describe, expect, it } from 'vitest'
import { providerParts } from '../../src/export/provider-parts.js'
import { message, sessionOf } from '../support/sessions.js'
import { answer, call, story, text } from '../support/story.js'

describe('providerParts', () => {
  it('is what the model sees: the header in force, and the messages behind a compaction', () => {
    const { header, messages } = providerParts(story(), {})
    expect(header).toMatchObject({ system: 'be brief', config: { model: 'm' } })
    expect(messages.map(({ content }) => content)).toEqual([
      [text('What went before')],
      [text('And now?')],
      [text('Be quick')],
    ])
  })

  it('answers a call that has no result, as a provider wants it', () => {
    const session = sessionOf(['user/message', message('user', 'a'), { surfaceOp: 'append' }], answer([call('c')]))
    const { header, messages } = providerParts(session, {})
    expect(header).toBeUndefined()
    expect(messages.at(-1)!.content).toMatchObject([{ type: 'tool-result', toolCallId: 'c' }])
  })
})
