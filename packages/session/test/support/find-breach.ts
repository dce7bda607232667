import { assembleChunks } from '@dsh/llm'
import { headerEquals, type SessionEvent } from '@dsh/session'

interface Call {
  readonly name: string
  readonly text: string
  started: boolean
  answered: boolean
}

/**
 * The first relation between events that a log breaks, in words, or undefined: the rules of enclosure, numbering, pairing,
 * headers and ends written down once more, by the plainest means.
 */
export function findBreach(events: readonly SessionEvent[]): string | undefined {
  let [turn, lastTurn, step, lastStep] = [0, 0, 0, 0]
  let calls = new Map<string, Call>()
  let chunks = new Map<number, SessionEvent<'assistant/chunk'>>()
  let [answered, headerInStep, stepCut, turnCut] = [false, false, false, false]
  let header: SessionEvent<'request/header'>['data']['header'] | undefined
  let context: SessionEvent<'request/context'>['data'] | undefined

  const check = (event: SessionEvent): string | false | undefined => {
    if ('surfaceOp' in event && event.surfaceOp !== 'append') return
    switch (event.type) {
      case 'turn/start':
        if (turn !== 0 || event.data.turn !== lastTurn + 1) return 'turn number'
        if (event.data.trigger === undefined) return 'trigger'
        ;[turn, lastTurn, lastStep, turnCut] = [event.data.turn, event.data.turn, 0, false]
        return
      case 'turn/end': {
        if (event.data.turn !== turn || step !== 0) return 'turn end outside its turn'
        turn = 0
        const { reason } = event.data
        if (reason.kind === 'error') return (reason.failure === undefined) === (reason.message === undefined) && 'error'
        if (Object.keys(reason).length > 1) return 'reason'
        return reason.kind === 'completed' && turnCut && 'completed after a cut'
      }
      case 'step/start':
        if (event.data.turn !== turn || turn === 0 || step !== 0 || event.data.step !== lastStep + 1)
          return 'step number'
        ;[step, lastStep, answered, headerInStep, stepCut] = [event.data.step, event.data.step, false, false, false]
        ;[calls, chunks] = [new Map(), new Map()]
        return
      case 'step/end':
        if (!isHere(event)) return 'step end outside its step'
        step = 0
        turnCut ||= stepCut
        return [...calls.values()].some(call => !call.answered) && 'step ended over an unanswered call'
      case 'steering/message':
        return (event.data.turn !== turn || step !== 0) && 'steering inside a step'
      case 'assistant/chunk': {
        chunks.set(event.seq, event)
        const { chunk } = event.data
        if (chunk.type === 'finish') stepCut = chunk.reason.kind === 'max-tokens'
        return (!isHere(event) || answered) && 'chunk outside its step or after the answer'
      }
      case 'assistant/message': {
        if (!isHere(event) || answered) return 'second answer, or outside its step'
        answered = true
        const { content, source } = event.data.message
        for (const block of content) {
          if (block.type !== 'tool-call') continue
          if (calls.has(block.id)) return 'repeated call id'
          calls.set(block.id, { name: block.name, text: block.arguments, started: false, answered: false })
        }
        if (event.sourceEventSeqs === undefined) return
        const cited = event.sourceEventSeqs.map(seq => chunks.get(seq)?.data.chunk)
        if (cited.includes(undefined)) return 'cited something else than a chunk of the step'
        const assembly = assembleChunks(cited.map(chunk => chunk!))
        const recorded = { content, usage: event.data.usage, replayState: source.replayState }
        return !same(recorded, { ...assembly, finish: undefined }) && 'answer is not its chunks'
      }
      case 'tool/call': {
        const call = calls.get(event.data.callId)
        if (!isHere(event) || call === undefined || call.started || call.answered) return 'tool call without a call'
        call.started = true
        return (call.name !== event.data.name || call.text !== event.data.arguments) && 'tool call is another'
      }
      case 'tool/result': {
        const call = calls.get(event.data.message.source.callId)
        if (!isHere(event) || call === undefined || call.answered) return 'result without a call'
        call.answered = true
        return !call.started && event.data.message.content[0].isError !== true && 'result of a call that never ran'
      }
      case 'request/header': {
        const previous = header
        header = event.data.header
        headerInStep = true
        if (step === 0) return 'header outside a step'
        if ((event.data.reason === 'initial') !== (previous === undefined)) return 'initial header'
        return event.data.reason === 'change' && headerEquals(previous!, header) && 'change that is none'
      }
      case 'request/context': {
        const unchanged = same(context, event.data)
        context = event.data
        return (step === 0 || !headerInStep || unchanged) && 'context'
      }
    }
  }
  const isHere = ({ data }: { data: { turn: number; step: number } }) =>
    turn !== 0 && step !== 0 && data.turn === turn && data.step === step

  for (const event of events) {
    const breach = check(event)
    if (breach) return `${breach} (seq ${event.seq})`
  }
  return undefined
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
