import type { JsonValue } from '@dsh/llm'
import { field, isRecord, type JsonRecord, textField } from '../../json-value.js'
import type { SourceRecord } from '../../source/record.js'
import { isoTime } from '../../time.js'
import { RecordTree } from '../../tree/record-tree.js'
import { answeredCalls } from '../anthropic/blocks.js'
import { AnswerIndex } from '../linear-survey.js'
import type { SessionPlan, Survey } from '../reader.js'
import { AgentThreads } from './agent-threads.js'
import { ClaudeReader, type Delegation } from './read.js'

/** A conversation of the file: that of the session, or one that ran beside it. */
interface Thread {
  readonly tree: RecordTree
  /** The node of the last record. */
  last: number | undefined
  startTime: number | undefined
  cwd: string | undefined
  agentId: string | undefined
  delegation: Delegation | undefined
}

interface Place {
  readonly thread: Thread
  readonly node: number
}

/** The first reading of a Claude Code file: its tree, and where the pieces of its messages end. */
export class ClaudeSurvey implements Survey {
  readonly #main = newThread()
  readonly #sides: Thread[] = []
  readonly #agents = new AgentThreads()
  readonly #places = new Map<string, Place>()
  readonly #messages = new Map<string, Place>()
  readonly #calls = new Map<string, Place>()
  readonly #prompts = new Map<string, string>()
  readonly #lastLines = new Map<string, number>()
  readonly #answers = new AnswerIndex()
  readonly #repeated = new Set<number>()
  /** Which records are in some tree, by ordinal. */
  readonly #placed: boolean[] = []
  #sessionId: string | undefined

  take({ ordinal, value }: SourceRecord): void {
    if (!isRecord(value)) return
    const time = isoTime(value.timestamp)
    this.#main.startTime ??= time
    if (this.#agents.take(ordinal, value, time)) {
      this.#indexMessage(ordinal, field(field(value.data, 'message'), 'message'), undefined)
    }
    const uuid = textField(value, 'uuid')
    if (uuid === undefined) return
    if (this.#places.has(uuid)) {
      this.#repeated.add(ordinal)
      return
    }
    const parent = this.#parent(value)
    const thread = this.#thread(value, parent)
    const node = this.#node(value, thread, parent?.thread === thread ? parent.node : undefined)
    const place = { thread, node }
    this.#places.set(uuid, place)
    this.#placed[ordinal] = true
    thread.tree.put(ordinal, node, isConversation(value))
    thread.last = node
    thread.startTime ??= time
    thread.cwd ??= textField(value, 'cwd')
    this.#sessionId = textField(value, 'sessionId') ?? this.#sessionId
    this.#indexMessage(ordinal, value.message, place)
  }

  plan(): readonly SessionPlan[] {
    const [main, ...sides] = this.#main.tree.size > 0 ? [this.#main, ...this.#sides] : [...this.#sides, this.#main]
    const isAgentFile = main !== this.#main
    const plans = this.#branches(main!, {
      key: 'main',
      role: 'live',
      sourceId: isAgentFile ? main!.agentId : this.#sessionId,
      ...(isAgentFile && { parentId: this.#sessionId, depth: 1 }),
    })
    const agents = sides.filter(side => side.tree.size > 0)
    for (const [index, side] of agents.entries()) {
      const key = `agent-${index + 1}`
      plans.push(
        ...this.#branches(side, { key, role: 'subagent', sourceId: side.agentId, delegatedBy: 'main', depth: 1 }),
      )
    }
    const isAgents = (record: SourceRecord) => this.#agents.has(record.ordinal)
    return [
      ...plans.map(plan => ({
        ...plan,
        includes: (record: SourceRecord) => !isAgents(record) && plan.includes(record),
      })),
      ...this.#agents.plans(agents.length, (writer, delegation) => this.#open(writer, delegation)),
    ]
  }

  #branches(thread: Thread, facts: Pick<SessionPlan, 'key' | 'role'> & Partial<SessionPlan>): SessionPlan[] {
    const { tree, startTime, cwd, delegation } = thread
    const isMain = facts.key === 'main'
    // The reader of a file of one sub-agent reads what a person did not type, too.
    const from = facts.role === 'subagent' || facts.depth !== undefined ? (delegation ?? {}) : undefined
    return tree.plan('last message').map((branch, index) => ({
      ...facts,
      ...(index > 0 && {
        key: isMain ? `branch-${index}` : `${facts.key}-branch-${index}`,
        role: 'branch' as const,
        sourceId: undefined,
        fork: { from: facts.key, liveOnlyFrom: branch.liveOnlyFrom, ownFrom: branch.ownFrom },
      }),
      cwd,
      startTime,
      // What hangs on no thread goes with the session.
      includes: ({ ordinal }: SourceRecord) =>
        branch.includes(ordinal) || (isMain && index === 0 && this.#placed[ordinal] !== true),
      open: (writer: Parameters<SessionPlan['open']>[0]) => this.#open(writer, from),
    }))
  }

  #open(writer: Parameters<SessionPlan['open']>[0], delegation: Delegation | undefined) {
    return new ClaudeReader(writer, {
      delegation,
      lastLine: messageId => this.#lastLines.get(messageId) ?? -1,
      willAnswer: callId => this.#answers.isAhead(callId, writer.ordinal),
      isRepeated: ordinal => this.#repeated.has(ordinal),
    })
  }

  /** The place that a record goes on from; one whose parent is not in the file goes on from the record before it. */
  #parent(value: JsonRecord): Place | undefined {
    const named = textField(value, 'parentUuid') ?? textField(value, 'logicalParentUuid')
    const place = named === undefined ? undefined : this.#places.get(named)
    if (place !== undefined) return place
    if (named === undefined && value.subtype !== 'compact_boundary') return undefined
    const thread = value.isSidechain === true ? (this.#sideOf(value) ?? this.#sides.at(-1)) : this.#main
    return thread?.last === undefined ? undefined : { thread, node: thread.last }
  }

  #thread(value: JsonRecord, parent: Place | undefined): Thread {
    if (value.isSidechain !== true) return this.#main
    if (parent !== undefined && parent.thread !== this.#main) return parent.thread
    const known = this.#sideOf(value)
    if (known !== undefined) return known
    const thread = newThread()
    thread.agentId = textField(value, 'agentId')
    const callId = this.#prompts.get(promptText(field(value.message, 'content')) ?? '')
    thread.delegation = callId === undefined ? {} : { callId }
    this.#sides.push(thread)
    return thread
  }

  #sideOf(value: JsonRecord): Thread | undefined {
    const agentId = textField(value, 'agentId')
    return agentId === undefined ? undefined : this.#sides.find(side => side.agentId === agentId)
  }

  /** The node of a record: that of its message or of the call that it answers, else one of its own. */
  #node(value: JsonRecord, thread: Thread, parent: number | undefined): number {
    const { tree } = thread
    const nodeIn = (place: Place | undefined) => (place?.thread === thread ? place.node : undefined)
    if (value.type === 'assistant') {
      const id = textField(value.message, 'id')
      return (id === undefined ? undefined : nodeIn(this.#messages.get(id))) ?? tree.node(parent)
    }
    if (value.type !== 'user') return parent ?? tree.node(undefined)
    const [answered] = answeredCalls(field(value.message, 'content'))
    if (answered === undefined) return tree.node(parent)
    return nodeIn(this.#calls.get(answered)) ?? parent ?? tree.node(undefined)
  }

  /** Remembers where a message ends, which calls it makes and which it answers. */
  #indexMessage(ordinal: number, message: JsonValue | undefined, place: Place | undefined): void {
    const content = field(message, 'content')
    const id = textField(message, 'id')
    if (id !== undefined) {
      this.#lastLines.set(id, ordinal)
      if (place !== undefined && !this.#messages.has(id)) this.#messages.set(id, place)
    }
    for (const callId of answeredCalls(content)) this.#answers.add(callId, ordinal)
    if (!Array.isArray(content)) return
    for (const block of content) {
      if (!isRecord(block) || block.type !== 'tool_use' || typeof block.id !== 'string') continue
      if (place !== undefined) this.#calls.set(block.id, place)
      const prompt = textField(block.input, 'prompt')
      if (prompt !== undefined) this.#prompts.set(prompt, block.id)
    }
  }
}

function newThread(): Thread {
  return {
    tree: new RecordTree(),
    last: undefined,
    startTime: undefined,
    cwd: undefined,
    agentId: undefined,
    delegation: undefined,
  }
}

/** Whether a record is a part of the conversation, and not only something about it. */
function isConversation(value: JsonRecord): boolean {
  if (value.type === 'assistant') return true
  if (value.type !== 'user' || value.isMeta === true) return false
  return value.isCompactSummary === true || value.isVisibleInTranscriptOnly !== true
}

function promptText(content: JsonValue | undefined): string | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return textField(content[0], 'text')
}
