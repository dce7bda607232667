import { visible } from './visible.js'
import { startOf } from './width.js'

/**
 * The lines of a text that a person wrote, safe to print, broken at `columns` where that is given: behind a space where
 * there is one. Tabs become spaces.
 */
export function linesOf(text: string, columns = Number.POSITIVE_INFINITY): string[] {
  return text.split(/\r?\n/).flatMap(line => {
    const safe = visible(line.replaceAll('\t', '    ')).replace(/ +$/, '')
    return columns === Number.POSITIVE_INFINITY ? [safe] : breakLine(safe, Math.max(1, columns))
  })
}

function breakLine(line: string, columns: number): string[] {
  const lines: string[] = []
  for (let at = 0; at < line.length; ) {
    const start = startAt(line, at, columns)
    if (at + start.length === line.length) {
      lines.push(start)
      break
    }
    const space = line[at + start.length] === ' ' ? start.length : start.lastIndexOf(' ')
    // A character that is wider than the line stands alone.
    const end = space > 0 ? space : start.length || String.fromCodePoint(line.codePointAt(at)!).length
    lines.push(line.slice(at, at + end).replace(/ +$/, ''))
    at += end
    while (line[at] === ' ') at++
  }
  return lines.length === 0 ? [''] : lines
}

/** As much of the line from `at` on as fits, found without a look at all the rest, which may be megabytes. */
function startAt(line: string, at: number, columns: number): string {
  for (let units = 2 * columns + 16; ; units *= 2) {
    const part = line.slice(at, at + units)
    const start = startOf(part, columns)
    if (start.length < part.length || at + units >= line.length) return start
  }
}
