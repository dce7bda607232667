import { isRecord } from '../../json-value.js'
import type { TranscriptReader } from '../reader.js'
import { ClaudeSurvey } from './survey.js'

const types: ReadonlySet<unknown> = new Set([
  'user',
  'assistant',
  'system',
  'progress',
  'attachment',
  'summary',
  'file-history-snapshot',
  'file-history-delta',
  'queue-operation',
  'last-prompt',
  'ai-title',
  'custom-title',
  'mode',
  'permission-mode',
  'pr-link',
  'bridge-session',
])

/** Claude Code: `<sessionId>.jsonl`. */
export const claudeCode: TranscriptReader = {
  format: 'claude-code',
  recognizes: records =>
    records.filter(record => {
      if (!isRecord(record) || !types.has(record.type)) return false
      return ['sessionId', 'uuid', 'leafUuid', 'messageId'].some(key => typeof record[key] === 'string')
    }).length,
  recognizesDocument: () => 0,
  lists: [],
  survey: () => new ClaudeSurvey(),
}
