import { describe, expect, it } from 'vitest'
import { contentMarkup, contextMarkup, outputMarkup, preformatted } from '../../../src/export/html/content.js'

const text = (value: string) => ({ type: 'text' as const, text: value })
const image = { type: 'image' as const, mediaType: 'image/png' }
const unknown = { type: 'plugin/chart', points: ['<'] } as never
const markup = (blocks: readonly { text: string }[]) => blocks.map(block => block.text).join('')

describe('markup of content', () => {
  it('shows what was said, and folds reasoning', () => {
    expect(markup(contentMarkup([text('a <b>'), { type: 'reasoning', text: 'hm' }]))).toBe(
      '<p class="text" dir="auto">a &lt;b&gt;</p>' +
        '<details class="reasoning"><summary>Reasoning</summary><p class="text" dir="auto">hm</p></details>',
    )
    expect(markup(contentMarkup([text('line\n'.repeat(100))]))).not.toContain('<details')
  })

  it('folds long output behind its first line and its size', () => {
    const long = `\n${'x'.repeat(200)}\n${'y\n'.repeat(20)}`
    expect(preformatted('short', 'output').text).toBe('<pre class="output" dir="auto">short</pre>')
    expect(preformatted(long, 'output').text).toMatch(
      /^<details><summary>x{100}… <small>\(23 lines, 242 characters\)<\/small><\/summary><pre/,
    )
    expect(preformatted('a'.repeat(1_501), 'output').text).toContain('<details>')
    expect(markup(contextMarkup([text('a\n'.repeat(20))]))).toContain('<details>')
    expect(markup(outputMarkup([text('a')]))).toBe('<pre class="output" dir="auto">a</pre>')
  })

  it('shows images that are in the session, and none that would have to be fetched', () => {
    expect(markup(contentMarkup([{ ...image, data: 'AA+/=' }]))).toBe(
      '<img alt="Image image/png" src="data:image/png;base64,AA+/=">',
    )
    const fetched = markup(outputMarkup([{ ...image, ref: 'https://example.org/"' }]))
    expect(fetched).toBe('<p class="mark">Image image/png at https://example.org/&quot;</p>')
  })

  it.each([
    ['a type that is none', { ...image, mediaType: 'text/html', data: 'AA' }],
    ['a type with more behind it', { ...image, mediaType: 'image/png;x=",', data: 'AA' }],
    ['data that are no base64', { ...image, data: 'AA"onerror=' }],
  ])('shows no image with %s', (_, block) => {
    const shown = markup(contentMarkup([block]))
    expect(shown).not.toContain('<img')
    expect(shown).toContain('cannot be shown')
  })

  it('shows unknown blocks as they are', () => {
    for (const show of [contentMarkup, contextMarkup, outputMarkup]) {
      expect(markup(show([unknown]))).toContain('&quot;plugin/chart&quot;')
    }
  })
})
