import { toolCalls } from '@dsh/llm'
import type { SessionEvent } from '../event.js'

/** How many events of each kind a turn or step holds. */
export interface OutlineCounts {
  /** User messages that a person typed. */
  readonly prompts: number
  /** User messages from anybody else. */
  readonly injections: number
  readonly steering: number
  /** Assistant messages. */
  readonly answers: number
  /** Tool calls that the assistant messages make. */
  readonly calls: number
  readonly results: number
  /** Results that are errors. */
  readonly failedResults: number
}

export const noCounts: OutlineCounts = {
  prompts: 0,
  injections: 0,
  steering: 0,
  answers: 0,
  calls: 0,
  results: 0,
  failedResults: 0,
}

/** The counts after `event`. */
export function countEvent(counts: OutlineCounts, event: SessionEvent): OutlineCounts {
  switch (event.type) {
    case 'user/message':
      return event.data.source.kind === 'user'
        ? { ...counts, prompts: counts.prompts + 1 }
        : { ...counts, injections: counts.injections + 1 }
    case 'steering/message':
      return { ...counts, steering: counts.steering + 1 }
    case 'assistant/message':
      return { ...counts, answers: counts.answers + 1, calls: counts.calls + toolCalls(event.data.message).length }
    case 'tool/result': {
      const failed = event.data.message.content[0].isError === true ? 1 : 0
      return { ...counts, results: counts.results + 1, failedResults: counts.failedResults + failed }
    }
    default:
      return counts
  }
}
