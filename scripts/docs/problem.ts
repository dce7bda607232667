/** One thing that is wrong in a checked file. */
export interface Problem {
  /** Path from the root of the repository, with forward slashes. */
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly expected: string
  readonly found: string
}

export function formatProblem(problem: Problem): string {
  return `${problem.file}:${problem.line}: expected ${problem.expected}, found ${problem.found}`
}
