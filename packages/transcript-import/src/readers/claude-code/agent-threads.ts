import { field, type JsonRecord, textField } from '../../json-value.js'
import type { LogWriter } from '../../log/log-writer.js'
import type { SessionPlan, SessionReader } from '../reader.js'
import type { Delegation } from './read.js'

interface AgentThread {
  readonly ordinals: Set<number>
  readonly agentId: string | undefined
  readonly delegation: Delegation
  startTime: number | undefined
}

/** Sub-agents whose messages stand in the `agent_progress` records of the session that called them. */
export class AgentThreads {
  readonly #threads = new Map<string, AgentThread>()

  /** Whether the record is a message of a sub-agent. */
  take(ordinal: number, value: JsonRecord, time: number | undefined): boolean {
    if (value.type !== 'progress' || field(value.data, 'type') !== 'agent_progress') return false
    if (field(field(value.data, 'message'), 'message') === undefined) return false
    const agentId = textField(value.data, 'agentId')
    const callId = textField(value, 'parentToolUseID')
    const key = agentId ?? callId ?? ''
    const thread = this.#threads.get(key) ?? newThread(agentId, callId)
    this.#threads.set(key, thread)
    thread.ordinals.add(ordinal)
    thread.startTime ??= time
    return true
  }

  /** Whether the record of that ordinal is a message of a sub-agent. */
  has(ordinal: number): boolean {
    for (const { ordinals } of this.#threads.values()) if (ordinals.has(ordinal)) return true
    return false
  }

  /** @param before how many other sub-agents the file has */
  plans(before: number, open: (writer: LogWriter, delegation: Delegation) => SessionReader): SessionPlan[] {
    return [...this.#threads.values()].map(({ ordinals, agentId, delegation, startTime }, index) => ({
      key: `agent-${before + index + 1}`,
      role: 'subagent',
      sourceId: agentId,
      delegatedBy: 'main',
      depth: 1,
      startTime,
      includes: ({ ordinal }) => ordinals.has(ordinal),
      open: writer => open(writer, delegation),
    }))
  }
}

function newThread(agentId: string | undefined, callId: string | undefined): AgentThread {
  return { ordinals: new Set(), agentId, delegation: callId === undefined ? {} : { callId }, startTime: undefined }
}
