import type { JsonValue } from '@dsh/llm'
import { field, isRecord, textField } from '../../json-value.js'
import { epochTime } from '../../time.js'
import { LinearSurvey, type SessionFacts } from '../linear-survey.js'
import type { TranscriptReader } from '../reader.js'
import { GooseReader } from './read.js'

const metadataKeys = ['working_dir', 'message_count', 'total_tokens', 'schedule_id', 'accumulated_total_tokens']

/** goose: a session file of its first, line-based storage. */
export const goose: TranscriptReader = {
  format: 'goose',
  recognizes(records) {
    const messages = records.filter(isGooseMessage).length
    return messages === 0 && !isMetadata(records[0]) ? 0 : messages + 2
  },
  recognizesDocument: () => 0,
  lists: [],
  survey(options) {
    let facts: SessionFacts = {}
    return new LinearSurvey(
      ({ value }) => {
        if (textField(value, 'role') === undefined) facts = { cwd: textField(value, 'working_dir') }
        return { time: epochTime(field(value, 'created')), answers: answeredCalls(value) }
      },
      () => facts,
      (writer, willAnswer) => new GooseReader(writer, options, willAnswer),
    )
  },
}

function isGooseMessage(value: JsonValue): boolean {
  if (!isRecord(value) || typeof value.role !== 'string' || !Array.isArray(value.content)) return false
  return typeof value.created === 'number' && !('type' in value)
}

function isMetadata(value: JsonValue | undefined): boolean {
  return isRecord(value) && !('role' in value) && metadataKeys.some(key => key in value)
}

function answeredCalls(value: JsonValue): string[] {
  const content = field(value, 'content')
  if (!Array.isArray(content)) return []
  return content.flatMap(block => (field(block, 'type') === 'toolResponse' ? (textField(block, 'id') ?? []) : []))
}
