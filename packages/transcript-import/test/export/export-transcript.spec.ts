import { exportChunks, exportFormats, exportTranscript } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { sessionOf } from '../support/sessions.js'
import { story } from '../support/story.js'

describe('exportTranscript', () => {
  it.each(exportFormats)('writes %s, in pieces too, and the same each time', format => {
    const whole = exportTranscript(story(), format)
    expect(whole.length).toBeGreaterThan(100)
    expect([...exportChunks(story(), format)].join('')).toBe(whole)
    expect(whole.endsWith('\n')).toBe(true)
  })

  it.each(exportFormats)('writes an empty session as %s', format => {
    expect(exportTranscript(sessionOf(), format)).not.toBe('')
  })

  it.each(exportFormats)('lets nothing out as %s that the hook hides', format => {
    const hidden = exportTranscript(story(), format, { redact: () => 'X' })
    for (const said of ['Read', 'look', 'lorem', 'hm', 'brief', 'And now', 'quick', 'before', 'remark', 'broke']) {
      expect(hidden).not.toContain(said)
    }
  })
})
