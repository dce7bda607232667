/** Prints a Markdown table; numbers with three digits that count. */
export function printMarkdown(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  const line = (cells: readonly (string | number)[]) => console.log(`| ${cells.map(show).join(' | ')} |`)
  console.log(`\n### ${title}\n`)
  line(heads)
  console.log(
    `|---|${heads
      .slice(1)
      .map(() => '---:|')
      .join('')}`,
  )
  for (const row of rows) line(row)
}

function show(cell: string | number): string {
  if (typeof cell === 'string') return cell
  return cell >= 100 ? cell.toFixed(0) : cell.toPrecision(3)
}
