import type { TranscriptChange } from '@dsh/llm'
import { amount } from '../format/number.js'

const meanings: Readonly<Record<TranscriptChange['kind'], string>> = {
  'result-added': 'a tool call without a result gets one that says so',
  'result-moved': 'a result that came later, or in another order, moves directly behind its call',
  'result-split': 'a result that shares its message with other content gets a message of its own',
  'result-dropped': 'a result that no call waits for is left out',
  'call-dropped': 'a call is left out that has the id of another in its message, or that no answer of a model made',
  'text-dropped': 'blank text is left out',
  'reasoning-dropped': 'reasoning that nothing follows is left out',
  'message-dropped': 'a message without any other content is left out',
}

/** What `providerTranscript` changes, in words for whoever may think that something is broken; undefined for nothing. */
export function explainChanges(changes: readonly TranscriptChange[]): string | undefined {
  if (changes.length === 0) return undefined
  const counts = new Map<TranscriptChange['kind'], number>()
  for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const words = [...counts].map(([kind, count]) => `${meanings[kind]} (${kind}, ${amount(count, 'time')})`)
  return `This is no damage: providers take messages in a strict form only, and what is sent to one differs from the log, which stays as it is: ${words.join('; ')}.`
}
