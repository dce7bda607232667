/** A fenced block of code. */
export interface Block {
  /** First word after the fence, in lower case; empty where there is none. */
  readonly language: string
  /** The words after the language. */
  readonly flags: readonly string[]
  /** The code, without the indentation of its fence. */
  readonly code: string
  /** 1-based line of the first line of code. */
  readonly line: number
}

/** Something in the prose, at a 1-based line. */
export interface Mark {
  readonly text: string
  readonly line: number
}

/** What the gates need to know of a Markdown page. */
export interface Markdown {
  readonly blocks: readonly Block[]
  /** Targets of inline links, images, reference definitions and `href` or `src` attributes. */
  readonly links: readonly Mark[]
  /** Fragments that a link can name: headings as GitHub numbers them, and explicit ids. */
  readonly anchors: ReadonlySet<string>
  /** Inline code. */
  readonly spans: readonly Mark[]
}

const fence = /^([\s>]*)(`{3,}|~{3,})(.*)$/
const link = /\[((?:[^[\]]|\[[^\]]*\])*)\]\(\s*(<[^>]*>|(?:[^()\s]|\([^()]*\))*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g
const definition = /^ {0,3}\[[^\]]+\]:\s*(\S+)/
const attribute = /\b(?:href|src)="([^"]*)"/g
const codeSpan = /(`+)(?!`)(.+?)(?<!`)\1(?!`)/g
const explicitId = /<[a-z]+\s[^>]*\b(?:id|name)="([^"]+)"/g

export function parseMarkdown(text: string): Markdown {
  const lines = text.split(/\r?\n/)
  const blocks = takeBlocks(lines)
  const prose = blankComments(lines.join('\n')).split('\n')
  const links: Mark[] = []
  const spans: Mark[] = []
  for (const [index, content] of prose.entries()) {
    const line = index + 1
    for (const [, , code] of content.matchAll(codeSpan)) spans.push({ text: code!.trim(), line })
    for (const target of linkTargets(content.replace(codeSpan, '``'))) links.push({ text: target, line })
  }
  return { blocks, links, spans, anchors: findAnchors(prose) }
}

/** Takes the fenced blocks out of `lines`, leaving empty lines in their place. */
function takeBlocks(lines: string[]): Block[] {
  const blocks: Block[] = []
  for (let start = 0; start < lines.length; start++) {
    const [, indent, marks, info] = fence.exec(lines[start]!) ?? []
    if (indent === undefined || marks === undefined || info === undefined || info.includes('`')) continue
    const close = new RegExp(`^[\\s>]*${marks[0]}{${marks.length},}\\s*$`)
    let end = start + 1
    while (end < lines.length && !close.test(lines[end]!)) end++
    const code = lines.slice(start + 1, end).map(line => (line.startsWith(indent) ? line.slice(indent.length) : line))
    const [language = '', ...flags] = info.trim().split(/\s+/)
    blocks.push({ language: language.toLowerCase(), flags, code: code.join('\n'), line: start + 2 })
    lines.fill('', start, end + 1)
    start = end
  }
  return blocks
}

function blankComments(text: string): string {
  return text.replace(/<!--[\s\S]*?-->/g, comment => comment.replace(/[^\n]/g, ''))
}

function linkTargets(content: string): string[] {
  const targets: string[] = []
  for (const [, label, target] of content.matchAll(link)) {
    targets.push(...linkTargets(label!), target!.replace(/^<|>$/g, ''))
  }
  const [, defined] = definition.exec(content) ?? []
  if (defined !== undefined) targets.push(defined)
  for (const [, target] of content.matchAll(attribute)) targets.push(target!)
  return targets
}

function findAnchors(prose: readonly string[]): Set<string> {
  const anchors = new Set<string>()
  for (const [index, content] of prose.entries()) {
    for (const [, id] of content.matchAll(explicitId)) anchors.add(id!)
    const title = headingAt(prose, index)
    if (title === undefined) continue
    const base = slug(title)
    let anchor = base
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${base}-${copy}`
    anchors.add(anchor)
  }
  return anchors
}

function headingAt(prose: readonly string[], index: number): string | undefined {
  const content = prose[index]!
  const [, title] = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(content) ?? []
  if (title !== undefined) return title
  const isUnderlined = content.trim() !== '' && /^ {0,3}(=+|-+)\s*$/.test(prose[index + 1] ?? '')
  return isUnderlined && !/^\s*([-*+>|]|\d+\.)/.test(content) ? content : undefined
}

/** The fragment that GitHub gives a heading. */
function slug(title: string): string {
  return title
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
