import type { JsonObject, JsonValue, ToolSchema } from '@dsh/llm'
import type { Session } from '@dsh/session'
import type { Workspace } from './workspace.ts'

/** What a tool works with. */
export interface ToolContext {
  readonly session: Session
  readonly workspace: Workspace
  /** Aborts when the turn does, or when the call has run for too long. */
  readonly signal: AbortSignal
}

/** What a tool answers. */
export interface ToolOutput {
  /** What the model reads. */
  readonly text: string
  /** Facts for whoever shows the result. */
  readonly meta?: JsonValue
}

/** A tool that a model can call. */
export interface Tool {
  readonly schema: ToolSchema
  /** Whether a call can change anything but the session: such calls run one at a time, each behind a checkpoint. */
  readonly hasEffects: boolean
  /** @throws ToolError for what the model can mend; the message is for the model */
  run(args: JsonObject, context: ToolContext): Promise<ToolOutput> | ToolOutput
}

/** A call that failed, with a stable code. */
export class ToolError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'ToolError'
    this.code = code
  }
}
