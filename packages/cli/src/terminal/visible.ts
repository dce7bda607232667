/**
 * What a terminal obeys, hides or reorders text by: control characters, lone surrogates, line and paragraph separators,
 * zero-width characters that join nothing, bidirectional controls, invisible tags.
 */
const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu

const harmless = /[\n\t\u{61c}\u{200b}\u{200e}\u{200f}\u{2060}\u{feff}]/u

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Text of which nothing drives a terminal: what would is shown as an escape, `\n`, `\x1b` or `\u{202e}`. One line, and the
 * same when it is made visible again.
 */
export function visible(text: string): string {
  return isPlain(text) ? text : text.replace(unsafe, char => named[char] ?? escapeChar(char.codePointAt(0)!))
}

/** As {@link visible} for text of many lines: it keeps its line feeds and tabs, and marks that only order what they stand in. */
export function visibleLines(text: string): string {
  return text.replace(unsafe, char => (harmless.test(char) ? char : visible(char)))
}

/**
 * A value as JSON on one line that drives no terminal and still parses to the same value. What `JSON.stringify` has to
 * say nothing about is `null`.
 */
export function visibleJson(value: unknown): string {
  return escapeJson(JSON.stringify(value) ?? 'null')
}

/** Valid JSON text with each unsafe character inside its strings as a `\u` escape. */
export function escapeJson(json: string): string {
  if (isPlain(json)) return json
  return json.replace(unsafe, char =>
    char === '\n' ? char : char.replace(/[\s\S]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** Whether a text is printable ASCII, as most are: looking takes a tenth of the time of replacing. */
export function isPlain(text: string): boolean {
  return !/[^ -~]/.test(text)
}

function escapeChar(code: number): string {
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}
