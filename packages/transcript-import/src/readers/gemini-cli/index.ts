import { field, isRecord, textField } from '../../json-value.js'
import { isoTime } from '../../time.js'
import { LinearSurvey, type SessionFacts } from '../linear-survey.js'
import type { TranscriptReader } from '../reader.js'
import { GeminiReader } from './read.js'

const types: ReadonlySet<unknown> = new Set(['user', 'gemini', 'info', 'warning', 'error'])

/** Gemini CLI: `chats/session-*.json`. */
export const geminiCli: TranscriptReader = {
  format: 'gemini-cli',
  recognizes: () => 0,
  recognizesDocument(document) {
    const messages = field(document, 'messages')
    if (!isRecord(document) || !Array.isArray(messages)) return 0
    if (textField(document, 'sessionId') === undefined || !('projectHash' in document || 'startTime' in document))
      return 0
    return 2 + messages.filter(message => types.has(field(message, 'type'))).length
  },
  lists: ['messages'],
  survey() {
    let facts: SessionFacts = {}
    return new LinearSurvey(
      ({ value, list }) => {
        const time = isoTime(field(value, 'timestamp')) ?? isoTime(field(value, 'startTime'))
        if (list === undefined) facts = { sourceId: textField(value, 'sessionId'), createdAt: time }
        return { time }
      },
      () => facts,
      writer => new GeminiReader(writer),
    )
  },
}
