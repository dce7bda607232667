import compactionInvariant from '@dsh/compaction/invariant'
import { SessionInvariant } from '@dsh/session-invariant'
import { SessionStore } from '@dsh/session-store'
import { Context } from 'cordis'
import { Agent, type AgentConfig } from './agent/agent.ts'
import { type BackendName, mountBackend } from './backends.ts'

/** What the application is made of. */
export interface AppOptions extends AgentConfig {
  /** The directory that holds the sessions; absolute. */
  readonly sessions: string
  /** How they are stored there. Default `jsonl`. */
  readonly backend?: BackendName
  /**
   * What happens to an append that breaks a rule: `throw` refuses it, for development; `report` only tells; `off` does
   * not look.
   */
  readonly invariants: 'throw' | 'report' | 'off'
}

/** Starts the application: the store, the rules, the backend, and the agent. */
export async function startApp({ sessions, backend = 'jsonl', invariants, ...agent }: AppOptions): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  if (invariants !== 'off') {
    await ctx.plugin(SessionInvariant, { mode: invariants })
    await ctx.plugin(compactionInvariant)
  }
  await mountBackend(ctx, backend, sessions)
  await ctx.plugin(Agent, agent)
  return ctx
}

/**
 * Stops the application, whose conversations must be closed. Everything stops in any case.
 * @throws STORAGE_FAILED naming what could not be made durable
 */
export async function stopApp(ctx: Context): Promise<void> {
  try {
    await ctx.sessionPersistence.close()
  } finally {
    await ctx.fiber.dispose()
  }
}
