import type { JsonValue } from '@dsh/llm'
import { field, isRecord } from '../../json-value.js'
import { scoreMessages } from '../chat-score.js'
import { LinearSurvey } from '../linear-survey.js'
import type { TranscriptReader } from '../reader.js'
import { answeredCalls } from './blocks.js'
import { AnthropicReader } from './read.js'

/** A message list of the Anthropic API: a list, a request with its `messages`, or a message a line. */
export const anthropic: TranscriptReader = {
  format: 'anthropic',
  recognizes: records => scoreMessages(records, 'anthropic'),
  recognizesDocument(document: JsonValue) {
    if (Array.isArray(document)) return scoreMessages(document, 'anthropic')
    const messages = field(document, 'messages')
    if (!isRecord(document) || !Array.isArray(messages)) return 0
    const score = scoreMessages(messages, 'anthropic')
    // Only this API has the system prompt beside the messages; a plain list looks the same in both.
    return 'system' in document && scoreMessages(messages, 'openai') === score + 1 ? score + 2 : score
  },
  lists: ['messages'],
  survey: options =>
    new LinearSurvey(
      ({ value }) => ({ answers: answeredCalls(field(value, 'content')) }),
      () => ({}),
      (writer, willAnswer) => new AnthropicReader(writer, options, willAnswer),
    ),
}
