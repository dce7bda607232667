import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeText, html, Markup } from '../../../src/export/html/escape.js'

describe('escapeText', () => {
  it('escapes what means something between tags and in quotes', () => {
    expect(escapeText(`<a href="x" id='y'>&amp;`)).toBe('&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;')
  })

  it('shows what would not be seen, or would reorder the text around it', () => {
    expect(escapeText('a\u0000\u001b[1m\u007f\u202eb\u2066\u200f')).toBe(
      'a\u2400\u241b[1m\\u007f\\u202eb\\u2066\\u200f',
    )
    expect(escapeText('\ud800x')).toBe('\\ud800x')
    expect(escapeText('a\tb\r\nc 😀 é')).toBe('a\tb\nc 😀 é')
  })

  it('leaves nothing that could start markup, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(escapeText(text)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
      }),
    )
  })
})

describe('html', () => {
  it('escapes values, takes markup and lists as they are, and leaves nothing for nothing', () => {
    const inner = html`<b>${'<'}</b>`
    expect(inner).toBeInstanceOf(Markup)
    expect(html`${inner}${[inner, ['&', 5]]}${undefined}${false}${0}`.text).toBe('<b>&lt;</b><b>&lt;</b>&amp;50')
    expect(html`plain`.text).toBe('plain')
  })
})
