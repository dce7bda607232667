import type { Workspace } from './workspace.ts'

/** A page that is generated from the sources. Each file in `pages/` exports one as `page`. */
export interface GeneratedPage {
  /** Path from the root of the repository. */
  readonly path: string
  /** The text below the notice, or nothing where the sources that it is made from are missing. */
  render(workspace: Workspace): string | undefined
}

/** A row of a Markdown table. */
function row(...cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')).join(' | ')} |`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(...head), row(...head.map(() => '---')), ...rows.map(cells => row(...cells))].join('\n')
}
