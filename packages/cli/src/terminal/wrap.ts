import { visible } from './visible.js'
import { startOf, width } from './width.js'

/**
 * The lines of a text that a person wrote, safe to print, broken at `columns` where that is given: behind a space where
 * there is one. Tabs become spaces.
 */
export function linesOf(text: string, columns = Number.POSITIVE_INFINITY): string[] {
  return text
    .split(/\r?\n/)
    .flatMap(line => breakLine(visible(line.replaceAll('\t', '    ')).replace(/ +$/, ''), Math.max(1, columns)))
}

function breakLine(line: string, columns: number): string[] {
  const lines: string[] = []
  let rest = line
  while (width(rest) > columns) {
    // A character that is wider than the line stands alone.
    const start = startOf(rest, columns) || String.fromCodePoint(rest.codePointAt(0)!)
    const space = rest[start.length] === ' ' ? start.length : start.lastIndexOf(' ')
    const end = space > 0 ? space : start.length
    lines.push(rest.slice(0, end).replace(/ +$/, ''))
    rest = rest.slice(end).replace(/^ +/, '')
  }
  if (rest !== '' || lines.length === 0) lines.push(rest)
  return lines
}
