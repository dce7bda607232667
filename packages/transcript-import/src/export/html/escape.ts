/** Markup that may go into a page as it is. Everything else is escaped by {@link html}. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Markup | string | number | undefined | false | readonly Part[]

/** A template in which every value is escaped unless it is markup; a list is its items, and nothing is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, index) => text + markupOf(parts[index - 1]) + string))
}

/** Text as it goes between tags and into quoted attributes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, char => entities[char]!).replace(unprintable, showControl)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// Control characters but for tab and line feed, lone surrogates, and the marks that reorder text around them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu

function showControl(char: string): string {
  const code = char.charCodeAt(0)
  // The control pictures of Unicode; a carriage return before a line feed says nothing.
  if (code === 13) return ''
  if (code < 32) return String.fromCharCode(0x2400 + code)
  return `\\u${code.toString(16).padStart(4, '0')}`
}

function markupOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Markup) return part.text
  return typeof part === 'object' ? part.map(markupOf).join('') : escapeText(String(part))
}
