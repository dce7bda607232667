import { exportChunks, exportTranscript, importTranscript } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { message, sessionOf } from '../support/sessions.js'
import { story } from '../support/story.js'

describe('JSONL', () => {
  it('is the header, then an event a line', () => {
    const lines = exportTranscript(story(), 'jsonl').split('\n')
    expect(JSON.parse(lines[0]!)).toMatchObject({ type: 'session', version: 1, id: 's' })
    expect(lines.slice(1, -1).map(line => JSON.parse(line).seq)).toEqual(story().events.map(({ seq }) => seq))
    expect(lines.at(-1)).toBe('')
  })

  it('comes in pieces when it is long, and is read back', async () => {
    const many = sessionOf(...Array.from({ length: 2_500 }, (_, index) => ['plugin/fact', { index }] as const), [
      'user/message',
      message('user', 'last'),
      { surfaceOp: 'append' },
    ])
    const chunks = [...exportChunks(many, 'jsonl')]
    expect(chunks).toHaveLength(4)
    const { sessions } = await importTranscript(chunks.join(''))
    expect(sessions[0]!.events).toEqual(many.events)
  })
})
