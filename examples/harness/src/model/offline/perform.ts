import type { Action, Part, PlannedCall, Result } from './action.ts'

/** Yields an action and returns its results. Calls that were interrupted are made again, after a look at what they left. */
export function* perform(action: Action): Part<readonly Result[]> {
  let results = yield action
  while (results.some(isInterrupted)) {
    const done = yield* lookAround(action.calls.filter((_, at) => isUnknown(results[at])))
    const again = action.calls.filter((call, at) => isInterrupted(results[at]) && !done.has(call))
    const repeated = again.length === 0 ? [] : yield { say: 'I repeat what has no result.', calls: again }
    results = action.calls.map((call, at) => {
      if (done.has(call)) return { text: 'It was done before the interruption.', isError: false }
      return repeated[again.indexOf(call)] ?? results[at]!
    })
  }
  return results
}

/** Looks at what calls of unknown outcome have left behind, and returns those that were completed. */
function* lookAround(calls: readonly PlannedCall[]): Part<ReadonlySet<PlannedCall>> {
  const looks = calls.flatMap(call => {
    const path = targetOf(call)
    return path === undefined ? [] : [{ call, look: { tool: 'read_file', args: { path } } }]
  })
  if (looks.length === 0) return new Set()
  const say = 'I was interrupted while this ran. Before I repeat it, I look at what it has left.'
  const found = yield { say, calls: looks.map(({ look }) => look) }
  return new Set(looks.filter(({ call }, at) => holds(found[at]!, call)).map(({ call }) => call))
}

/** Yields an action of one call and returns its result. */
export function* performOne(say: string, call: PlannedCall, think?: string): Part<Result> {
  const [result] = yield* perform({ say, calls: [call], ...(think !== undefined && { think }) })
  return result!
}

function isInterrupted(result: Result | undefined): boolean {
  return result?.isError === true && result.text.startsWith('Interrupted')
}

function isUnknown(result: Result | undefined): boolean {
  return isInterrupted(result) && result!.text.includes('may have taken effect')
}

/** The file that a call writes, if there is one. */
function targetOf({ tool, args }: PlannedCall): string | undefined {
  if (tool === 'write_file') return String(args.path)
  return tool === 'run_command' ? />\s*([\w./-]+)\s*$/.exec(String(args.command))?.[1] : undefined
}

/** Whether a file holds all that a call was to write. What a command has left says nothing about whether it ended. */
function holds(file: Result, { tool, args }: PlannedCall): boolean {
  if (tool !== 'write_file' || file.isError) return false
  const lines = file.text.split('\n').slice(1)
  return lines.map(line => line.replace(/^\d+: /, '')).join('\n') === String(args.content).replace(/\n$/, '')
}
