import type { CallId } from '@dsh/llm'
import type { OpenToolCall, Session, StepRecorder, ToolResultOptions } from '@dsh/session'
import { parseArguments } from '../tools/arguments.ts'
import { bounded } from '../tools/bounds.ts'
import { type Tool, ToolError } from '../tools/tool.ts'
import type { LoopSetup } from './setup.ts'

type ToolSetup = Pick<LoopSetup, 'tools' | 'workspace' | 'limits' | 'flush'>

/**
 * Runs the calls of a step and records their results as they come: those with effects one after another, each behind a
 * checkpoint, the others at the same time.
 * @throws the signal's reason, or what kept a checkpoint or a result from being recorded; calls may be unanswered then
 */
export async function runCalls(
  step: StepRecorder,
  session: Session,
  setup: ToolSetup,
  signal: AbortSignal,
): Promise<void> {
  let earlier = Promise.resolve()
  const runs = step.openCalls.map(call => {
    const tool = setup.tools.find(({ schema }) => schema.name === call.name)
    const run = () => runCall(call, tool, step, session, setup, signal)
    if (tool?.hasEffects !== true) return run()
    earlier = earlier.then(run)
    return earlier
  })
  const failed = (await Promise.allSettled(runs)).find(run => run.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Answers the calls of an answer that was cut at its output limit: nobody knows what the rest of it was to be. */
export function refuseCalls(step: StepRecorder): void {
  for (const { callId } of step.openCalls) {
    refuse(step, callId, 'ANSWER_CUT', 'Not run: the answer was cut at its output limit.')
  }
}

async function runCall(
  { callId, name, arguments: text }: OpenToolCall,
  tool: Tool | undefined,
  step: StepRecorder,
  session: Session,
  { workspace, limits, flush }: ToolSetup,
  turnSignal: AbortSignal,
): Promise<void> {
  turnSignal.throwIfAborted()
  const args = parseArguments(text)
  if (tool === undefined) return refuse(step, callId, 'UNKNOWN_TOOL', `There is no tool ${JSON.stringify(name)}.`)
  if (args === undefined) return refuse(step, callId, 'INVALID_ARGUMENTS', 'The arguments are not a JSON object.')
  step.call(callId)
  if (tool.hasEffects) await flush(session)
  const signal = AbortSignal.any([turnSignal, AbortSignal.timeout(limits.toolMs)])
  const outcome = await unlessAborted(async () => tool.run(args, { session, workspace, signal }), signal).then(
    ({ text, meta }) => ({ text, options: meta === undefined ? {} : { meta } }),
    toolFailure,
  )
  // The closers of the turn answer what was under way.
  turnSignal.throwIfAborted()
  step.result(callId, bounded(outcome.text), outcome.options)
}

function refuse(step: StepRecorder, callId: CallId, code: string, text: string): void {
  step.result(callId, text, { error: { name: 'ToolError', code } })
}

function toolFailure(error: unknown): { readonly text: string; readonly options: ToolResultOptions } {
  const { name, message, code } = failureOf(error)
  return { text: message || name, options: { error: { name, code } } }
}

function failureOf(error: unknown): { readonly name: string; readonly message: string; readonly code: string } {
  if (error instanceof ToolError) return error
  if (!(error instanceof Error)) return { name: 'ToolError', message: String(error), code: 'TOOL_FAILED' }
  const { name, message } = error
  if (name === 'TimeoutError') return { name, message: 'Stopped: the call took too long.', code: 'TOOL_TIMEOUT' }
  const code: unknown = 'code' in error ? error.code : undefined
  return { name, message, code: typeof code === 'string' ? code : 'TOOL_FAILED' }
}

/** Settles with `run`, or rejects when the signal aborts: not every tool looks at it. */
async function unlessAborted<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([run(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
