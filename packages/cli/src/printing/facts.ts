import type { Output } from '../terminal/output.js'
import { dim, type Text } from '../terminal/text.js'

/** What is known, by label; what is undefined or empty is left out. */
export type Facts = readonly (readonly [label: string, text: Text | undefined])[]

/** Prints facts one on a line, their labels in a column. */
export function printFacts(out: Output, facts: Facts): void {
  for (const [label, text] of facts) {
    if (text !== undefined && text !== '') out.clipped([dim(label.padEnd(11)), text])
  }
}
