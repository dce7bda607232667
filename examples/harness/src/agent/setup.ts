import type { Session } from '@dsh/session'
import type { Provider } from '../model/provider.ts'
import type { Tool } from '../tools/tool.ts'
import type { Workspace } from '../tools/workspace.ts'

/** What every loop of an agent works with. */
export interface LoopSetup {
  readonly provider: Provider
  /** System prompt. */
  readonly system: string
  readonly tools: readonly Tool[]
  readonly workspace: Workspace
  readonly limits: LoopLimits
  /** The durability checkpoint. Rejects when what was appended could not be stored. */
  flush(session: Session): Promise<void>
  /** Tells a failure live, to whoever listens. */
  report(session: Session, error: unknown): void
}

/** Where a loop stops or changes course. */
export interface LoopLimits {
  /** Model calls of one turn. */
  readonly steps: number
  /** How often a request that failed for the moment is sent again. */
  readonly retries: number
  /** Milliseconds before the first of these retries, doubling, where the provider does not say. */
  readonly retryDelayMs: number
  /** Milliseconds that a tool call may take. */
  readonly toolMs: number
  /** Share of the context above which older history is summarised. */
  readonly contextFill: number
}

export const defaultLimits: LoopLimits = {
  steps: 50,
  retries: 2,
  retryDelayMs: 500,
  toolMs: 150_000,
  contextFill: 0.8,
}
