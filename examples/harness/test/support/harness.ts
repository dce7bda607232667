import compactionInvariant from '@dsh/compaction/invariant'
import { messageText } from '@dsh/llm'
import type { Session, SessionEvent } from '@dsh/session'
import { SessionInvariant } from '@dsh/session-invariant'
import { SessionStore } from '@dsh/session-store'
import { Context } from 'cordis'
import { onTestFinished } from 'vitest'
import { Agent, type AgentConfig } from '../../src/agent/agent.ts'
import type { AgentLoop } from '../../src/agent/loop.ts'

/** An application in memory, with a loop on one session. */
export interface Harness {
  readonly ctx: Context
  readonly session: Session
  readonly loop: AgentLoop
  /** What the agent has reported. */
  readonly errors: unknown[]
}

/** Starts one, with the rules in force. It ends with the test. */
export async function startHarness(
  config: Omit<AgentConfig, 'directory'> & { readonly directory?: string },
): Promise<Harness> {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  await ctx.plugin(SessionInvariant, { mode: 'throw' })
  await ctx.plugin(compactionInvariant)
  const limits = { retryDelayMs: 0, ...config.limits }
  await ctx.plugin(Agent, { directory: import.meta.dirname, ...config, limits })
  const errors: unknown[] = []
  ctx.on('agent/error', (_, error) => void errors.push(error))
  const session = ctx.sessions.create('s')
  onTestFinished(() => ctx.fiber.dispose())
  return { ctx, session, loop: ctx.agent.attach(session), errors }
}

/** The log as lines: types, and what matters of each event. Deltas are left out. */
export function logOf(events: Iterable<SessionEvent>): string[] {
  return [...events].flatMap(event => {
    switch (event.type) {
      case 'turn/start':
        return `turn ${event.data.turn} by ${event.data.trigger.kind}`
      case 'turn/end':
        return `turn ${event.data.turn} ${event.data.reason.kind}`
      case 'step/start':
        return `step ${event.data.step}`
      case 'step/end':
        return 'step end'
      case 'user/message':
        return `${event.data.source.kind}: ${messageText(event.data)}`
      case 'steering/message':
        return `steering: ${messageText(event.data.message)}`
      case 'assistant/message':
        return `assistant: ${messageText(event.data.message)}`
      case 'tool/call':
        return `call ${event.data.callId}`
      case 'tool/result': {
        const { message, error } = event.data
        return `result ${message.source.callId}: ${error?.code ?? messageText(message)}`
      }
      case 'request/header':
        return `header ${event.data.reason}`
      default:
        return []
    }
  })
}

/** What resolves when it is called. */
export function signal(): { readonly promise: Promise<void>; readonly reached: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, reached: resolve }
}
