import type { JsonValue } from '@dsh/llm'
import { field, isRecord, type JsonRecord, textField } from '../../json-value.js'
import type { SourceRecord } from '../../source/record.js'
import { isoTime } from '../../time.js'
import { RecordTree } from '../../tree/record-tree.js'
import { AnswerIndex } from '../linear-survey.js'
import type { SessionPlan, Survey } from '../reader.js'
import { PiReader } from './read.js'

const conversation: ReadonlySet<unknown> = new Set(['message', 'custom_message', 'branch_summary', 'compaction'])

/** The first reading of a pi session: its tree. Version 1 has no ids; each entry goes on from the one before. */
export class PiSurvey implements Survey {
  readonly #tree = new RecordTree()
  readonly #nodes = new Map<string, number>()
  readonly #answers = new AnswerIndex()
  #last: number | undefined
  #startTime: number | undefined
  #header: JsonRecord | undefined

  take({ ordinal, value }: SourceRecord): void {
    if (!isRecord(value)) return
    this.#startTime ??= isoTime(value.timestamp)
    if (value.type === 'session') {
      this.#header ??= value
      return
    }
    const node = this.#tree.node(this.#parent(value))
    this.#tree.put(ordinal, node, conversation.has(value.type))
    this.#last = node
    const id = textField(value, 'id')
    if (id !== undefined && !this.#nodes.has(id)) this.#nodes.set(id, node)
    const callId = textField(value.message, 'toolCallId')
    if (callId !== undefined) this.#answers.add(callId, ordinal)
  }

  plan(): readonly SessionPlan[] {
    const header = this.#header
    return this.#tree.plan('last record').map((branch, index) => ({
      key: index === 0 ? 'main' : `branch-${index}`,
      role: index === 0 ? 'live' : 'branch',
      ...(index === 0 && { sourceId: textField(header, 'id'), parentId: parentId(header) }),
      ...(index > 0 && { fork: { from: 'main', liveOnlyFrom: branch.liveOnlyFrom, ownFrom: branch.ownFrom } }),
      cwd: textField(header, 'cwd'),
      createdAt: index === 0 ? isoTime(field(header, 'timestamp')) : undefined,
      startTime: this.#startTime,
      includes: ({ ordinal }) => branch.includes(ordinal) || (index === 0 && this.#tree.nodeOf(ordinal) === undefined),
      open: writer => new PiReader(writer, callId => this.#answers.isAhead(callId, writer.ordinal)),
    }))
  }

  #parent(value: JsonRecord): number | undefined {
    const { parentId } = value
    if (parentId === null) return undefined
    return (typeof parentId === 'string' ? this.#nodes.get(parentId) : undefined) ?? this.#last
  }
}

/** The id of the session that a file was branched from: the name of its file ends in it. */
function parentId(header: JsonValue | undefined): string | undefined {
  const path = textField(header, 'parentSession') ?? textField(header, 'branchedFrom')
  return path === undefined ? undefined : /_([\w-]{8,})\.jsonl$/.exec(path)?.[1]
}
