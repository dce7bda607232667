import { describe, expect, it } from 'vitest'
import { parseMarkdown } from '../../docs/markdown.ts'

describe('parseMarkdown', () => {
  it('finds fenced blocks with language, flags, code and line', () => {
    const text = '# A\n\n```ts run\nlet a = 1\n\na++\n```\n\n~~~~Bash\nls\n```\n~~~~\n'
    expect(parseMarkdown(text).blocks).toEqual([
      { language: 'ts', flags: ['run'], code: 'let a = 1\n\na++', line: 4 },
      { language: 'bash', flags: [], code: 'ls\n```', line: 10 },
    ])
  })

  it('removes the indentation of a block in a list', () => {
    expect(parseMarkdown('- item\n  ```ts\n  if (a)\n    b()\n  ```\n').blocks[0]?.code).toBe('if (a)\n  b()')
  })

  it('takes a block without an end to the end of the page', () => {
    expect(parseMarkdown('```\na\n[b](c)').blocks).toEqual([{ language: '', flags: [], code: 'a\n[b](c)', line: 2 }])
  })

  it('does not take inline code with three marks for a block', () => {
    expect(parseMarkdown('```not a block``` [a](b)\n')).toMatchObject({ blocks: [], links: [{ text: 'b', line: 1 }] })
  })

  it('finds links, images, definitions and attributes with their lines', () => {
    const text = [
      '[a](one.md) and ![b](two.png "title")',
      '[![nested](three.svg)](four.md#x)',
      '[ref]: five.md',
      '<a href="six.md">x</a> <img src="seven.png">',
      '[angle](<with space.md>) [round](eight_(a).md)',
    ].join('\n')
    expect(parseMarkdown(text).links).toEqual([
      { text: 'one.md', line: 1 },
      { text: 'two.png', line: 1 },
      { text: 'three.svg', line: 2 },
      { text: 'four.md#x', line: 2 },
      { text: 'five.md', line: 3 },
      { text: 'six.md', line: 4 },
      { text: 'seven.png', line: 4 },
      { text: 'with space.md', line: 5 },
      { text: 'eight_(a).md', line: 5 },
    ])
  })

  it('finds no links in code or in comments', () => {
    expect(parseMarkdown('`[a](b)` ``[c](d)``\n<!-- [e](f)\n[g](h) -->\n```\n[i](j)\n```\n').links).toEqual([])
  })

  it('gives inline code with its line', () => {
    expect(parseMarkdown('a\n`pnpm test` or ``x`y``').spans).toEqual([
      { text: 'pnpm test', line: 2 },
      { text: 'x`y', line: 2 },
    ])
  })

  it('names headings as GitHub does', () => {
    const text =
      '# The `ctx.sessions` API\n\n## Same\n\n## Same ##\n\n## A [link](x.md), really!\n\n会话 日志\n===\n\n### under_score\n'
    expect([...parseMarkdown(text).anchors]).toEqual([
      'the-ctxsessions-api',
      'same',
      'same-1',
      'a-link-really',
      '会话-日志',
      'under_score',
    ])
  })

  it('takes explicit ids as anchors and ignores headings in code', () => {
    expect([...parseMarkdown('<a id="here"></a>\n```\n# not here\n```\n').anchors]).toEqual(['here'])
  })

  it('does not take a rule after a list or an empty line for a heading', () => {
    expect(parseMarkdown('- a\n---\n\n---\n').anchors.size).toBe(0)
  })
})
