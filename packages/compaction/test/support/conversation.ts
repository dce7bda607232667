import { callId, type TokenUsage, userMessage } from '@dsh/llm'
import { recordTurn, type Session, type StepRecorder, type TurnRecorder } from '@dsh/session'

const config = { provider: 'p', model: 'm' }

/** What each model call of {@link recordTurns} costs. */
export const usagePerStep: TokenUsage = { inputTokens: 100, outputTokens: 10 }

/** Records `count` turns of a prompt, two parallel calls with their results, and an answer: five surface nodes each. */
export function recordTurns(session: Session, count = 1): void {
  for (let index = 0; index < count; index++) {
    const turn = recordTurn(session)
    turn.prompt(userMessage('read both files'))
    const step = askTwice(turn)
    step.call(callId('a'))
    step.call(callId('b'))
    step.result(callId('b'), 'content of b')
    step.result(callId('a'), 'content of a')
    step.end()
    const last = turn.step()
    last.message('Done.', { ...config, usage: usagePerStep })
    last.end()
    turn.close()
  }
}

/** Opens a turn in which a call is in flight, and another one answered. */
export function openCall(session: Session): { turn: TurnRecorder; step: StepRecorder } {
  const turn = recordTurn(session)
  turn.prompt(userMessage('go on'))
  const step = askTwice(turn)
  step.call(callId('a'))
  step.call(callId('b'))
  step.result(callId('b'), 'content of b')
  return { turn, step }
}

function askTwice(turn: TurnRecorder): StepRecorder {
  const step = turn.step()
  const call = (id: string) => ({ type: 'tool-call', id: callId(id), name: 'read', arguments: '{}' }) as const
  step.message([call('a'), call('b')], { ...config, usage: usagePerStep })
  return step
}

/** The texts of the surface, shortened to what tells its nodes apart. */
export function outlineOf(session: Session): string {
  return session
    .deriveMessages()
    .map(({ role, source, content: [block] }) => {
      if (source.kind === 'plugin') return 'summary'
      if (block?.type === 'tool-call') return 'calls'
      return block?.type === 'tool-result' ? `result ${block.toolCallId}` : role
    })
    .join(', ')
}
