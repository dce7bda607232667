import type { JsonValue } from '@dsh/llm'
import { field, isRecord, textField } from '../../json-value.js'
import { LinearSurvey, type SessionFacts } from '../linear-survey.js'
import type { TranscriptReader } from '../reader.js'
import { SweAgentReader } from './read.js'

/** SWE-agent: a `.traj` file, and the trajectories of mini-swe-agent. */
export const sweAgent: TranscriptReader = {
  format: 'swe-agent',
  recognizes: () => 0,
  recognizesDocument(document) {
    if (!isRecord(document)) return 0
    const { history, messages, info } = document
    const list = Array.isArray(history)
      ? history
      : 'trajectory_format' in document || isRun(info)
        ? messages
        : undefined
    if (!Array.isArray(list)) return 0
    const said = list.filter(item => textField(item, 'role') !== undefined).length
    // A list without a single message could be anything.
    return said === 0 ? 0 : said + 3
  },
  lists: ['history', 'messages', 'trajectory'],
  survey(options) {
    let exitStatus: string | undefined
    let facts: SessionFacts = {}
    return new LinearSurvey(
      ({ value, list }) => {
        if (list === undefined) {
          exitStatus = textField(field(value, 'info'), 'exit_status')
          facts = { sourceId: textField(value, 'instance_id') }
        }
        return { answers: answeredCalls(value) }
      },
      () => facts,
      (writer, willAnswer) => new SweAgentReader(writer, options, willAnswer, exitStatus),
    )
  },
}

function isRun(info: JsonValue | undefined): boolean {
  return isRecord(info) && ('exit_status' in info || 'model_stats' in info)
}

function answeredCalls(value: JsonValue): string[] {
  const ids = field(value, 'tool_call_ids')
  const all = [field(value, 'tool_call_id'), ...(Array.isArray(ids) ? ids : [])]
  return all.filter(id => typeof id === 'string')
}
