import { type CallId, callId, type FinishReason, mintMessageId, type StreamChunk, userMessage } from '@dsh/llm'
import {
  isSessionError,
  openToolCalls,
  openTurn,
  recordTurn,
  type Session,
  type StepRecorder,
  type TurnRecorder,
} from '@dsh/session'
import fc from 'fast-check'
import { expect } from 'vitest'

/** One call to a recorder or to the session itself: `roll` chooses which, `pick` among variants of its arguments. */
export interface Op {
  readonly roll: number
  readonly pick: number
}

interface Stage {
  readonly session: Session
  turn?: TurnRecorder
  step?: StepRecorder
}

const failure = { message: 'overloaded', code: 'E529', status: 529 }
const finishes: FinishReason[] = [
  { kind: 'stop' },
  { kind: 'tool-calls' },
  { kind: 'max-tokens' },
  { kind: 'aborted' },
  { kind: 'error', failure },
]

const actions = {
  open(stage: Stage, pick: number) {
    stage.turn = recordTurn(stage.session, pick % 2 === 0 ? {} : { trigger: { kind: 'retry' } })
  },
  prompt: ({ turn }: Stage, pick: number) => turn?.prompt(userMessage(`prompt ${pick}`)),
  steer: ({ turn }: Stage, pick: number) => turn?.steer(userMessage(`steer ${pick}`)),
  step(stage: Stage) {
    // The recorder of an earlier step stays in hand when this is refused.
    if (stage.turn !== undefined) stage.step = stage.turn.step()
  },
  header: ({ step }: Stage, pick: number) =>
    step?.header({ config: { provider: 'p', model: 'm' }, system: ['', 'one', 'two'][pick % 3] }),
  context: ({ step }: Stage, pick: number) =>
    step?.context({ provider: 'p', model: 'm', contextWindow: 1000 + (pick % 2) }),
  text: ({ step }: Stage, pick: number) => step?.chunk({ type: 'text-delta', index: 0, text: `word${pick} ` }),
  think: ({ step }: Stage) => step?.chunk({ type: 'reasoning-delta', index: 1, text: 'hm ' }),
  ask: ({ step }: Stage, pick: number) => {
    const chunk: StreamChunk = {
      type: 'tool-call-delta',
      index: 2 + (pick % 4),
      id: id(pick % 3),
      argumentsDelta: '{}',
    }
    return step?.chunk({ ...chunk, name: 'tool' })
  },
  block: ({ step }: Stage, pick: number) =>
    step?.chunk({ type: 'block-end', index: pick % 6, block: { type: 'text', text: 'whole' } }),
  usage: ({ step }: Stage, pick: number) =>
    step?.chunk({ type: 'usage', usage: { inputTokens: pick, outputTokens: 1 } }),
  done: ({ step }: Stage, pick: number) =>
    step?.chunk({ type: 'finish', reason: finishes[pick % 5]!, replayState: pick }),
  retry: ({ step }: Stage, pick: number) => step?.retry(pick % 2 === 0 ? failure : undefined),
  finish: ({ step }: Stage, pick: number) => step?.finish(pick % 3 === 0 ? { provider: 'p', model: 'm' } : {}),
  message: ({ step }: Stage, pick: number) => {
    const call = (at: number) => ({ type: 'tool-call' as const, id: id(at), name: 'tool', arguments: '{}' })
    const usage = { inputTokens: 1, outputTokens: pick }
    return step?.message([call(pick % 3), call((pick + 1) % 4)], { usage, finish: finishes[pick % 3] })
  },
  call: ({ step }: Stage, pick: number) => step?.call(openCall(step, pick)),
  result: ({ step }: Stage, pick: number) =>
    step?.result(openCall(step, pick), `output ${pick}`, pick % 3 === 0 ? { isError: true } : {}),
  end: ({ step }: Stage) => step?.end(),
  close: ({ turn }: Stage) => turn?.close(),
  abort: ({ turn }: Stage) => turn?.abort(),
  fail: ({ turn }: Stage, pick: number) => turn?.fail(pick % 2 === 0 ? failure : new Error('boom')),
  dispose: ({ turn }: Stage) => turn?.dispose(),
  fact: ({ session }: Stage) => session.append('todo/write', { todos: [] }),
}

/** Calls that end a turn may append some of its closers before a veto stops them. */
const endings: ReadonlySet<string> = new Set(['abort', 'fail', 'dispose'])

type Name = keyof typeof actions

const everything = Object.keys(actions) as Name[]

/** What a harness does in each state, so that random programs get far. */
function sensible({ session }: Stage): readonly Name[] {
  const open = session.fold(openTurn)
  if (open === undefined) return ['open', 'open', 'open', 'fact']
  if (open.step === undefined) return ['prompt', 'steer', 'step', 'step', 'step', 'close']
  if (session.fold(openToolCalls).length > 0) return ['call', 'call', 'result', 'result', 'result', 'fact']
  const last = session.slice(open.startSeq).findLast(event => stepTypes.has(event.type))
  if (last?.type === 'step/start') return ['header', 'header', 'header', 'ask', 'message']
  if (last?.type === 'request/header') return ['context', 'context', 'ask', 'text', 'message']
  if (last?.type === 'assistant/message') return ['end', 'end', 'end', 'prompt']
  return [
    'text',
    'think',
    'ask',
    'ask',
    'block',
    'usage',
    'done',
    'done',
    'retry',
    'finish',
    'finish',
    'finish',
    'header',
  ]
}

const stepTypes: ReadonlySet<string> = new Set(['step/start', 'request/header', 'assistant/chunk', 'assistant/message'])

/** Random walks: mostly what fits, now and then anything at all. */
export const programs: fc.Arbitrary<Op[]> = fc.array(fc.record({ roll: fc.nat(999), pick: fc.nat(11) }), {
  minLength: 10,
  maxLength: 100,
  size: 'max',
})

/** Runs a program. Every refusal must be a known one and must leave the log as it was. */
export function runProgram(session: Session, program: readonly Op[]): void {
  const stage: Stage = { session }
  for (const { roll, pick } of program) {
    const names = roll % 5 === 0 ? everything : sensible(stage)
    const name = names[Math.floor(roll / 5) % names.length]!
    const before = session.seq
    try {
      actions[name](stage, pick)
    } catch (error) {
      const known = isSessionError(error) ? error.code : (error as Error).message
      expect(['RECORDER_STATE', 'OPEN_TURN', 'INVALID_EVENT', 'veto']).toContain(known)
      if (!endings.has(name)) expect(session.seq).toBe(before)
    }
  }
}

/** A program that goes a whole way: a turn of two steps with parallel calls, a failed attempt and a steering message. */
export function recordTypicalTurn(session: Session): void {
  const turn = recordTurn(session)
  turn.prompt(userMessage('list the files'))
  const first = turn.step()
  first.header({ config: { provider: 'p', model: 'm' }, system: 'be brief' })
  first.context({ provider: 'p', model: 'm', contextWindow: 1000 })
  first.chunk({ type: 'text-delta', index: 0, text: 'I wi' })
  first.chunk({ type: 'usage', usage: { inputTokens: 10, outputTokens: 1 } })
  first.retry(failure)
  for (const at of [0, 1, 2]) {
    first.chunk({ type: 'tool-call-delta', index: at, id: id(at), name: 'ls', argumentsDelta: '{}' })
  }
  first.chunk({ type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } })
  first.chunk({ type: 'finish', reason: { kind: 'tool-calls' } })
  first.finish()
  for (const at of [0, 1]) first.call(id(at))
  first.result(id(1), 'b.txt')
  first.result(id(2), 'not allowed', { error: { name: 'Denied', code: 'DENIED' } })
  first.result(id(0), 'a.txt')
  first.end()
  turn.steer(userMessage('be quick'))
  const second = turn.step()
  second.header({ config: { provider: 'p', model: 'm' }, system: 'be brief' })
  second.message('Two files.', { usage: { inputTokens: 20, outputTokens: 3 }, id: mintMessageId() })
  second.end()
  turn.close()
}

function id(at: number): CallId {
  return callId(`c${at}`)
}

function openCall(step: StepRecorder, pick: number): CallId {
  const calls = step.openCalls
  return calls[pick % (calls.length + 1)]?.callId ?? id(9)
}
