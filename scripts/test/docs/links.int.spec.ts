import { describe, expect, it } from 'vitest'
import { checkLinks } from '../../docs/links.ts'
import { readPages } from '../../docs/page.ts'
import { scratch } from '../scratch.ts'

function check(readme: string): string[] {
  const base = scratch({
    'README.md': readme,
    'docs/guide.md': '# Guide\n\n## 第一 步\n',
    'docs/a b.md': '# A\n',
    'src/code.ts': 'one\ntwo\n',
  })
  return checkLinks(readPages(base), base).map(({ line, expected, found }) => `${line}: ${expected}; ${found}`)
}

describe('checkLinks', () => {
  it('accepts files, folders, headings, lines and addresses outside', () => {
    const targets = ['docs/guide.md', 'docs', 'docs/', 'docs/guide.md#guide', '#top', 'src/code.ts#L2', 'docs/a%20b.md']
    const outside = ['https://example.org/x#y', 'mailto:a@example.org', '//example.org', 'docs/guide.md#第一-步']
    expect(check(['# Top', ...[...targets, ...outside].map(target => `[x](${target})`)].join('\n'))).toEqual([])
  })

  it.each([
    ['docs/none.md', 'a link to a file that exists'],
    ['docs/guide.md#none', 'a link to a heading that exists'],
    ['#none', 'a link to a heading that exists'],
    ['docs#none', 'a link to a heading that exists'],
    ['src/code.ts#L9', 'a link to a heading that exists'],
    ['src/code.ts#two', 'a link to a heading that exists'],
    ['/docs/guide.md', 'a relative link'],
    ['../outside.md', 'a link inside the repository'],
  ])('refuses %s', (target, expected) => {
    expect(check(`# Top\n\n[x](${target})`)).toEqual([`3: ${expected}; ${target}`])
  })

  it('takes links from the folder of their page', () => {
    const base = scratch({ 'docs/a.md': '[b](b.md) [c](c.md)', 'docs/b.md': '', 'c.md': '' })
    expect(checkLinks(readPages(base), base)).toMatchObject([{ file: 'docs/a.md', line: 1, found: 'c.md' }])
  })
})
