import type { Exchange } from './transcript.ts'

/** One line about an exchange. */
export function describeExchange({ ask, answer }: Exchange): string {
  return `- "${clip(ask, 120)}" — ${clip(answer, 300) || 'no answer'}`
}

/** The lines about exchanges that a summary holds. */
export function exchangesIn(summary: string): string[] {
  return summary.split('\n').filter(line => line.startsWith('- "'))
}

function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
