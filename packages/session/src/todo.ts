/** One entry of an agent's todo list. The list is replaced whole by every `todo/write`, so an entry needs no identity. */
export interface TodoItem {
  /** What the task is: a short imperative line. */
  readonly content: string
  /** `in_progress` marks the task being worked on. */
  readonly status: 'pending' | 'in_progress' | 'completed'
}
