import { describe, expect, it } from 'vitest'
import { sectionMarkup } from '../../../src/export/html/section.js'
import { readSections } from '../../../src/export/reading/read-sections.js'
import { Redactor } from '../../../src/export/redact.js'
import { message, sessionOf } from '../../support/sessions.js'
import { answer, call, result, start, story, text } from '../../support/story.js'

const shown = (session = story()) =>
  [...readSections(session, new Redactor(undefined))].map((section, index) => sectionMarkup(section, index).text)

describe('sectionMarkup', () => {
  it('shows a turn: when, how long, how many tokens', () => {
    const [first, between] = shown()
    expect(first).toContain('<section id="section-0">\n<h2>Turn 1</h2>')
    expect(first).toContain('2026-01-01 00:00:00 · 8 s · 1,234 tokens (1,200 in, 30 out, 4 reasoning)')
    expect(between).toContain('<h2>Between turns</h2>')
    expect(between).toContain('Also in the log: plugin/fact')
  })

  it('marks what a compaction hid, and links both ways', () => {
    const [first, between] = shown()
    expect(first!.match(/class="item \w+ hidden"/g)).toHaveLength(2)
    expect(first).toContain('<a href="#e9">event 9</a> took its place.')
    expect(between).toContain('id="e9" class="item summary"')
    expect(between).toContain(
      'Takes the place of 3 messages, from <a href="#e1">event 1</a> to <a href="#e6">event 6</a>.',
    )
    // The result went with its answer, which says so already.
    expect(first!.match(/took its place/g)).toHaveLength(2)
  })

  it('shows calls with what came of them', () => {
    const [first] = shown()
    expect(first).toContain('<div class="call failed" id="e6"><b>read</b>')
    expect(first).toContain('<span class="outcome">Error</span><details><summary>lorem')
    const [other] = shown(sessionOf(start(1), answer([call('1'), call('2')]), result('1', [text('ok')])))
    expect(other).toContain('<span class="outcome">Result</span>')
    expect(other).toContain('<span class="outcome">No result</span>')
  })

  it('tells steering, remarks and how a turn ended', () => {
    const last = shown().at(-1)
    expect(last).toContain('User (steering)')
    expect(last).toContain('import/note: A remark')
    expect(last).toContain('<p class="ended">Ended: error: it broke</p>')
  })

  it('shows results that no call waits for, and messages by their label', () => {
    const labelled = { ...message('user', 'a', { kind: 'plugin', plugin: 'p' }), envelope: { label: '<Reminder>' } }
    const [only] = shown(sessionOf(result('9', [text('lost')]), ['user/message', labelled, { surfaceOp: 'append' }]))
    expect(only).toContain('<h3>Result of 9</h3>')
    expect(only).toContain('&lt;Reminder&gt;')
  })
})
