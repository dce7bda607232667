import { exportTranscript } from '@dsh/transcript-import'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { message, sessionOf, sessions } from '../../support/sessions.js'
import { answer, call, end, result, start, story, text } from '../../support/story.js'

const page = (session = story()) => exportTranscript(session, 'html')
// The page's own tags: every other is text.
const tags =
  /<(?:!doctype html|\/?(?:html|head|body|meta|title|style|header|main|nav|section|article|details|summary|label|input|img|div|span|small|pre|dl|dt|dd|ol|li|h1|h2|h3|p|a|b)(?: [^<>]*)?)>/g

describe('the page', () => {
  it('needs nothing but itself', () => {
    const html = page()
    expect(html.startsWith('<!doctype html>\n<html lang="en">')).toBe(true)
    expect(html).toContain(`content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:"`)
    expect(html).not.toMatch(/<script|<link|<iframe|https?:|url\(|@import/)
  })

  it('tells the turns, and offers to hide what the model no longer sees', () => {
    const html = page()
    expect(html).toContain('<summary>2 turns</summary>')
    expect(html).toContain('<li value="2"><a href="#section-2">And now?</a></li>')
    expect(html).toContain('id="only-seen"')
    expect(page(sessionOf(start(1), end(1)))).not.toMatch(/<nav|only-seen"/)
  })

  it('links only to what is there', () => {
    const html = page()
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id!)
    expect(links.length).toBeGreaterThan(3)
    expect(links.filter(link => !ids.has(link))).toEqual([])
  })

  it('is light and dark', () => {
    expect(page()).toContain('color-scheme: light dark')
  })

  it('lets nothing of a session become markup', () => {
    const evil = `</style></pre></title><script>alert("1")</script><img src=x onerror='1'>`
    const session = sessionOf(
      start(1, { kind: 'plugin', plugin: evil }),
      ['user/message', { ...message('user', evil), envelope: { label: evil } }, { surfaceOp: 'append' }],
      answer([text(evil), { type: 'reasoning', text: evil }, call('1', evil, JSON.stringify({ [evil]: evil }))]),
      result('1', [text(evil), { type: 'image', mediaType: evil, ref: evil }]),
      result(evil, [{ type: evil }]),
      ['import/note', { about: 'a', text: evil }],
      [`plugin/${evil}`, {}],
      end(1, { kind: 'error', step: 1, message: evil }),
    )
    const html = page(session)
    expect(html).not.toMatch(/<script|<img|onerror=.1/)
    expect(html.replace(/<style>[^<]*<\/style>/, '').replace(tags, '')).not.toMatch(/[<>]/)
  })

  it('is well-formed for any session', () => {
    fc.assert(
      fc.property(sessions, session => {
        const body = page(session).replace(/<style>[^<]*<\/style>/, '')
        const open: string[] = []
        for (const [tag] of body.matchAll(tags)) {
          const name = /^<\/?!?([a-z0-9]+)/.exec(tag)![1]!
          if (tag.startsWith('</')) expect(open.pop()).toBe(name)
          else if (!['doctype', 'meta', 'input', 'img'].includes(name)) open.push(name)
        }
        expect(open).toEqual([])
        expect(body.replace(tags, '')).not.toMatch(/[<>]/)
      }),
      { numRuns: 40 },
    )
  })
})
