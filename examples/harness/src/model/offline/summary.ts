import type { Message } from '@dsh/llm'
import { describeExchange, exchangesIn } from './exchange.ts'
import { partsDone } from './plan.ts'
import { donePart, openRequest, readTranscript } from './transcript.ts'

/** Most exchanges that a summary keeps, so that summaries of summaries do not grow. */
const KEPT = 12

/** Sums up a conversation that is about to leave the context. What is still to be done stands at its end, word for word. */
export function summarise(messages: readonly Message[]): string {
  const reading = readTranscript(messages)
  const { ask, answer, earlier, summaries } = reading
  const isOpen = ask !== undefined && answer === ''
  const exchanges = ask === undefined || isOpen ? earlier : [...earlier, { ask, answer }]
  const lines = [...summaries.flatMap(exchangesIn), ...exchanges.map(describeExchange)].slice(-KEPT)
  const done = isOpen ? partsDone(reading).map(part => donePart + JSON.stringify(part)) : []
  return ['Before this:', ...lines, ...done, ...(isOpen ? [openRequest + ask] : [])].join('\n')
}
