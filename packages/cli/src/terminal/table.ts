import { bold, fit, pad, type Text, textWidth } from './text.js'

/** One column of a table. */
export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Columns that it can well be cut down to where space is short. Absent: it is never cut. */
  readonly least?: number
  /** Which end is cut. */
  readonly cut?: 'start' | 'end'
  /** Rank in which columns leave a table that is still too wide, the highest first. Absent: it stays. */
  readonly leaves?: number
}

const GAP = 2

/** Columns of a cell that still says something. */
const NARROWEST = 4

/**
 * Lays out rows below their titles. Without `columns` nothing is cut. A column in which every cell is empty is left out.
 */
export function layOutTable(
  columns: readonly Column[],
  rows: readonly (readonly Text[])[],
  available?: number,
): Text[] {
  const natural = columns.map((column, at) =>
    rows.reduce((most, row) => Math.max(most, textWidth(row[at]!)), column.title.length),
  )
  const isUsed = columns.map((_, at) => rows.length === 0 || rows.some(row => textWidth(row[at]!) > 0))
  const shown = chooseColumns(columns, natural, isUsed, available)
  const widths = shrink(columns, natural, shown, available)
  const line = (cells: readonly Text[]): Text => {
    // Nothing is filled up behind the last cell that says something.
    const last = shown.findLastIndex(at => textWidth(cells[at]!) > 0)
    return shown.slice(0, last + 1).map((at, index) => {
      const { align, cut } = columns[at]!
      const cell = fit(cells[at]!, widths[index]!, cut)
      const padded = index === last && align !== 'right' ? cell : pad(cell, widths[index]!, align)
      return index === 0 ? padded : [' '.repeat(GAP), padded]
    })
  }
  return [line(columns.map(({ title }) => bold(title))), ...rows.map(line)]
}

function leastWidth(column: Column, natural: number): number {
  return column.least === undefined ? natural : Math.min(natural, Math.max(column.least, column.title.length))
}

function chooseColumns(
  columns: readonly Column[],
  natural: readonly number[],
  isUsed: readonly boolean[],
  available = Number.POSITIVE_INFINITY,
): number[] {
  let shown = columns.flatMap((_, at) => (isUsed[at] ? [at] : []))
  const leastTotal = () =>
    shown.reduce((sum, at) => sum + leastWidth(columns[at]!, natural[at]!), GAP * (shown.length - 1))
  while (leastTotal() > available) {
    const leaving = Math.max(...shown.map(at => columns[at]!.leaves ?? 0))
    if (leaving === 0) break
    shown = shown.filter(at => columns[at]!.leaves !== leaving)
  }
  return shown
}

/** Takes what is too much from the widest columns that can be cut; below their least widths only where nothing else helps. */
function shrink(
  columns: readonly Column[],
  natural: readonly number[],
  shown: readonly number[],
  available = Number.POSITIVE_INFINITY,
): number[] {
  const widths = shown.map(at => natural[at]!)
  const floors = shown.map(at => leastWidth(columns[at]!, natural[at]!))
  const narrowest = shown.map((at, index) => (columns[at]!.least === undefined ? floors[index]! : NARROWEST))
  let excess = widths.reduce((sum, each) => sum + each, GAP * (shown.length - 1)) - available
  for (const limits of [floors, narrowest]) {
    for (; excess > 0; excess--) {
      let widest = -1
      for (const [index, columns] of widths.entries()) {
        if (columns > limits[index]! && (widest < 0 || columns > widths[widest]!)) widest = index
      }
      if (widest < 0) break
      widths[widest]!--
    }
  }
  return widths
}
