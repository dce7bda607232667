import type { JsonObject } from '@dsh/llm'

/** A call that the planner wants made. */
export interface PlannedCall {
  readonly tool: string
  readonly args: JsonObject
}

/** What the planner does next: it says something and calls tools, all at the same time. */
export interface Action {
  /** Reasoning that is shown before. */
  readonly think?: string
  readonly say: string
  readonly calls: readonly PlannedCall[]
}

/** What a call came to. */
export interface Result {
  readonly text: string
  readonly isError: boolean
}

/**
 * A task as straight code: it yields actions, is given their results, and returns its answer. It is a function of the
 * transcript alone, since it is run again from its start for every request.
 */
export type Task = Generator<Action, string, readonly Result[]>

/** Part of a task. */
export type Part<T> = Generator<Action, T, readonly Result[]>
