import type { Session } from '@dsh/session'
import type {} from '@dsh/session-store'
import { type Context, Service } from 'cordis'
import type { Provider } from '../model/provider.ts'
import { tools as allTools } from '../tools/index.ts'
import type { Tool } from '../tools/tool.ts'
import { Workspace } from '../tools/workspace.ts'
import { compactHistory } from './compaction.ts'
import { AgentLoop } from './loop.ts'
import { defaultLimits, type LoopLimits, type LoopSetup } from './setup.ts'
import { systemPrompt } from './system-prompt.ts'

declare module 'cordis' {
  interface Context {
    /** Runs model loops over sessions. */
    agent: Agent
  }

  interface Events {
    /** Something failed that the log alone would tell too late, or not at all. */
    'agent/error'(session: Session, error: unknown): void
  }
}

/** Configuration of {@link Agent}. */
export interface AgentConfig {
  readonly provider: Provider
  /** The directory that tools work on. */
  readonly directory: string
  /** All tools of this harness where absent. */
  readonly tools?: readonly Tool[]
  readonly limits?: Partial<LoopLimits>
}

/** The plugin that runs model loops, `ctx.agent`. */
export class Agent extends Service<AgentConfig> {
  static readonly provide = 'agent'
  static readonly inject = ['sessions']
  private readonly setup: LoopSetup

  constructor(ctx: Context, { provider, directory, tools = allTools, limits }: AgentConfig) {
    super(ctx, Agent.provide)
    const { sessions } = ctx
    const workspace = new Workspace(directory)
    this.setup = {
      provider,
      system: systemPrompt(workspace),
      tools,
      workspace,
      limits: { ...defaultLimits, ...limits },
      flush: session => sessions.flush(session),
      report: (session, error) => ctx.emit('agent/error', session, error),
    }
  }

  /** A loop over a live session. It ends with the calling plugin, before the session does. */
  attach(session: Session): AgentLoop {
    const loop = new AgentLoop(session, this.setup)
    this.ctx.effect(() => () => loop.dispose(), `ctx.agent.attach(${JSON.stringify(session.id)})`)
    return loop
  }

  /** Summarises the history of a session that no turn runs on. Returns whether there was something to summarise. */
  compact(session: Session, signal: AbortSignal): Promise<boolean> {
    return compactHistory(session, this.setup, signal)
  }
}
