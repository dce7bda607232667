import type { Message } from '@dsh/llm'
import { type Exchange, openRequest, readTranscript } from './transcript.ts'

/** Most exchanges that a summary keeps, so that summaries of summaries do not grow. */
const KEPT = 12

/** Sums a conversation up that is about to leave the context. What is still to be done stands at the end, word for word. */
export function summarise(messages: readonly Message[]): string {
  const { ask, answer, earlier, summaries, rounds } = readTranscript(messages)
  const isOpen = ask !== undefined && answer === ''
  const exchanges = ask === undefined || isOpen ? earlier : [...earlier, { ask, answer }]
  const lines = [...summaries.flatMap(exchangesIn), ...exchanges.map(describeExchange)].slice(-KEPT)
  const tools = rounds.flatMap(({ calls }) => calls.map(({ tool }) => tool))
  return [
    'Before this:',
    ...lines,
    ...(isOpen && tools.length > 0 ? [`Tools called for the open request: ${tools.join(', ')}.`] : []),
    ...(isOpen ? [openRequest + ask] : []),
  ].join('\n')
}

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
