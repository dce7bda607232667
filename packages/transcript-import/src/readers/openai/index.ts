import { field, textField } from '../../json-value.js'
import { scoreMessages } from '../chat-score.js'
import { LinearSurvey } from '../linear-survey.js'
import type { TranscriptReader } from '../reader.js'
import { OpenAiReader } from './read.js'

/** A message list of the OpenAI chat API: a list, a request with its `messages`, or a message a line. */
export const openai: TranscriptReader = {
  format: 'openai',
  recognizes: records => scoreMessages(records, 'openai'),
  recognizesDocument(document) {
    const messages = Array.isArray(document) ? document : field(document, 'messages')
    return Array.isArray(messages) ? scoreMessages(messages, 'openai') : 0
  },
  lists: ['messages'],
  survey: options =>
    new LinearSurvey(
      ({ value }) => {
        const callId = textField(value, 'tool_call_id')
        return callId === undefined ? {} : { answers: [callId] }
      },
      () => ({}),
      (writer, willAnswer) => new OpenAiReader(writer, options, willAnswer),
    ),
}
