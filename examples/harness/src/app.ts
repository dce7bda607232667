import compactionInvariant from '@dsh/compaction/invariant'
import type { SessionPersistence } from '@dsh/persistence'
import { SessionInvariant } from '@dsh/session-invariant'
import { SessionStore } from '@dsh/session-store'
import { Context } from 'cordis'
import { Agent, type AgentConfig } from './agent/agent.ts'
import { type BackendName, mountBackend } from './backends.ts'
import { Stack } from './stack/stack.ts'

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
 * Starts the application with the store, the rules and the backend that a file of Cordis' loader names, and the agent.
 * @throws INVALID_CONFIG with file and line; what a plugin fails with
 */
export async function startAppFrom(
  file: string,
  agent: AgentConfig,
): Promise<{ readonly app: Context; readonly stack: Stack }> {
  const app = new Context()
  const stack = await Stack.mount(app, file, { services: ['sessions', 'sessionPersistence'], kept: ['sessions'] })
  await app.plugin(Agent, agent)
  return { app, stack }
}

/**
 * Stops the application, whose conversations must be closed. Everything stops in any case.
 * @throws STORAGE_FAILED naming what could not be made durable
 */
export async function stopApp(ctx: Context): Promise<void> {
  try {
    // One backend may be about to take the place of another.
    await ctx.get('stack')?.close()
    await storageOf(ctx).close()
  } finally {
    await ctx.fiber.dispose()
  }
}

/** The backend, whichever it is at the moment. @throws Error when there is none */
export function storageOf(ctx: Context): SessionPersistence {
  const persistence = ctx.get('sessionPersistence')
  if (persistence === undefined) throw new Error('Nothing is stored at the moment: there is no backend.')
  return persistence
}
