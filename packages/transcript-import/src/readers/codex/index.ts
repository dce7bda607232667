import type { JsonValue } from '@dsh/llm'
import { field, isRecord, type JsonRecord, textField } from '../../json-value.js'
import { isoTime } from '../../time.js'
import { LinearSurvey, type SessionFacts } from '../linear-survey.js'
import type { TranscriptReader } from '../reader.js'
import { answeredCall } from './items.js'
import { CodexReader, subagentDepth } from './read.js'

const types: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'world_state',
  'inter_agent_communication_metadata',
])
const bareItems: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
])

/** Codex: `rollout-*.jsonl`, also of its first form, which has no envelopes. */
export const codex: TranscriptReader = {
  format: 'codex',
  recognizes(records) {
    const enveloped = records.filter(record => types.has(field(record, 'type')) && isRecord(field(record, 'payload')))
    if (enveloped.length > 0 || !isBareMeta(records[0])) return enveloped.length
    const bare = records.filter(record => bareItems.has(field(record, 'type')) || textField(record, 'record_type'))
    return bare.length === 0 && records.length > 1 ? 0 : bare.length + 1
  },
  recognizesDocument: () => 0,
  lists: [],
  survey() {
    let facts: SessionFacts | undefined
    let isSubagent = false
    return new LinearSurvey(
      ({ value }) => {
        const meta = field(value, 'type') === 'session_meta' ? field(value, 'payload') : value
        if (facts === undefined && isRecord(meta) && (meta !== value || isBareMeta(value))) {
          facts = readFacts(meta)
          isSubagent = subagentDepth(meta) !== undefined
        }
        const callId = answeredCall(field(value, 'payload') ?? value)
        return { time: isoTime(field(value, 'timestamp')), ...(callId !== undefined && { answers: [callId] }) }
      },
      () => facts ?? {},
      (writer, willAnswer) => new CodexReader(writer, willAnswer, isSubagent),
    )
  },
}

function isBareMeta(value: JsonValue | undefined): boolean {
  if (!isRecord(value) || 'type' in value || 'record_type' in value) return false
  return (
    typeof value.id === 'string' && typeof value.timestamp === 'string' && ('instructions' in value || 'git' in value)
  )
}

function readFacts(meta: JsonRecord): SessionFacts {
  const spawned = field(field(field(meta, 'source'), 'subagent'), 'thread_spawn')
  return {
    sourceId: textField(meta, 'id'),
    parentId:
      textField(meta, 'parent_thread_id') ??
      textField(spawned, 'parent_thread_id') ??
      textField(meta, 'forked_from_id'),
    depth: subagentDepth(meta),
    cwd: textField(meta, 'cwd'),
    createdAt: isoTime(field(meta, 'timestamp')),
  }
}
