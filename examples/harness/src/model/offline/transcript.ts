import { isToolResultBlock, type Message, messageText, providerTranscript, toolCalls } from '@dsh/llm'
import { parseArguments } from '../../tools/arguments.ts'
import type { PlannedCall, Result } from './action.ts'

/** What a model said with calls in it, and what they came to. */
export interface Round {
  readonly calls: readonly PlannedCall[]
  readonly results: readonly Result[]
}

/** An exchange that is over: what was asked, and the last answer to it. */
export interface Exchange {
  readonly ask: string
  readonly answer: string
}

/** A transcript as the planner sees it. */
export interface Reading {
  /** What a person wants; absent where nobody has asked for anything. */
  readonly ask?: string
  /** The parts of it that were done before the transcript was summarised. */
  readonly parts: readonly string[]
  /** The last answer to it; empty while there is none. */
  readonly answer: string
  /** What has been done about it. */
  readonly rounds: readonly Round[]
  /** Earlier exchanges. */
  readonly earlier: readonly Exchange[]
  /** Summaries of still earlier ones. */
  readonly summaries: readonly string[]
  /** Context that plugins have added since the last answer. */
  readonly notices: readonly string[]
}

/** How a summary hands over what is yet to be done: the parts that are, and the request to the end of the text. */
export const donePart = 'Done of the open request: '
export const openRequest = 'Asked and not answered yet: '

const goOn = /^(continue|go on|proceed|retry)\b/i

/** Reads a transcript. What came last counts: a message that steers replaces what was asked before. */
export function readTranscript(all: readonly Message[]): Reading {
  const { messages } = providerTranscript(all)
  let ask: string | undefined
  let answer = ''
  let parts: readonly string[] = []
  let rounds: Round[] = []
  let notices: string[] = []
  const earlier: Exchange[] = []
  const summaries: string[] = []
  for (const [at, message] of messages.entries()) {
    const text = messageText(message)
    if (message.role === 'assistant') {
      if (toolCalls(message).length > 0) rounds.push(roundAt(messages, at))
      else [answer, notices] = [text, []]
    } else if (message.source.kind === 'user' && !goOn.test(text)) {
      if (ask !== undefined) earlier.push({ ask, answer })
      ;[ask, answer, rounds, parts] = [text, '', [], []]
    } else if (message.source.kind === 'plugin') {
      if (message.source.plugin === 'compaction') {
        const [summary, open] = text.split(openRequest)
        summaries.push(summary!)
        ask = open
        parts = doneParts(summary!)
      } else if (message.source.plugin !== 'agent') notices.push(text)
    }
  }
  return { ...(ask !== undefined && { ask }), answer, parts, rounds, earlier, summaries, notices }
}

function doneParts(summary: string): string[] {
  const lines = summary.split('\n').filter(line => line.startsWith(donePart))
  return lines.map(line => JSON.parse(line.slice(donePart.length)) as string)
}

function roundAt(messages: readonly Message[], at: number): Round {
  const calls = toolCalls(messages[at]!)
  const results = messages
    .slice(at + 1, at + 1 + calls.length)
    .flatMap(({ content }) => content.filter(isToolResultBlock))
  return {
    calls: calls.map(({ name, arguments: text }) => ({ tool: name, args: parseArguments(text) ?? {} })),
    results: results.map(block => ({ text: messageText(block), isError: block.isError === true })),
  }
}
