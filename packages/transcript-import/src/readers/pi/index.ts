import { isRecord } from '../../json-value.js'
import type { TranscriptReader } from '../reader.js'
import { PiSurvey } from './survey.js'

const types: ReadonlySet<unknown> = new Set([
  'session',
  'message',
  'model_change',
  'thinking_level_change',
  'compaction',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'session_info',
])

/** pi: a session file of version 1, 2 or 3. */
export const pi: TranscriptReader = {
  format: 'pi',
  recognizes: records =>
    records.filter(record => {
      if (!isRecord(record) || !types.has(record.type) || typeof record.timestamp !== 'string') return false
      return record.type !== 'message' || isRecord(record.message)
    }).length,
  recognizesDocument: () => 0,
  lists: [],
  survey: () => new PiSurvey(),
}
