import { exportTranscript } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { message, sessionOf } from '../support/sessions.js'
import { answer, call, end, result, start, story, text } from '../support/story.js'

const append = { surfaceOp: 'append' }

describe('Markdown', () => {
  it('tells the whole session, with what the model no longer sees', () => {
    expect(exportTranscript(story(), 'markdown')).toMatchSnapshot()
  })

  it('keeps what is said from becoming structure', () => {
    const session = sessionOf(
      start(1),
      ['user/message', message('user', '# a\n<b>\n\n- c'), append],
      answer([text('```ts\nopen'), call('1', 'a_b*', '{bad')]),
      result('1', [text('has ``` and ```` inside')]),
      result('2', [text('of nobody')]),
      end(1, { kind: 'aborted' }),
    )
    const markdown = exportTranscript(session, 'markdown')
    expect(markdown.startsWith('# \\# a \\<b\\> - c\n')).toBe(true)
    expect(markdown).toContain('> # a\n> <b>\n>\n> - c\n')
    expect(markdown).toContain('```ts\nopen\n```\n')
    expect(markdown).toContain('**a\\_b\\***\n\n```json\n{bad\n```\n')
    expect(markdown).toContain('`````\nhas ``` and ```` inside\n`````\n')
    expect(markdown).toContain('### Result of 2\n')
    expect(markdown).toContain('**Ended: aborted**')
  })

  it('names images and blocks that it does not know', () => {
    const image = { type: 'image', mediaType: 'image/png' }
    const session = sessionOf([
      'user/message',
      {
        ...message('user', ''),
        envelope: { label: 'Reminder' },
        content: [
          { ...image, data: 'AAAA' },
          { ...image, ref: 'r' },
          { type: 'plugin/chart', points: [1] },
        ],
      },
      append,
    ])
    const markdown = exportTranscript(session, 'markdown')
    expect(markdown).toContain('## Between turns\n')
    expect(markdown).toContain('### Reminder\n')
    expect(markdown).toContain(
      '> [image image/png]\n>\n> [image image/png r]\n>\n> {"type":"plugin/chart","points":[1]}',
    )
  })
})
