import { userMessage } from '@dsh/llm'
import { recordTurn, Session } from '@dsh/session'
import { expect, it } from 'vitest'
import { contextFill } from '../src/index.js'

const config = { provider: 'p', model: 'm' }

it('is the share of the capacity that the last request and its answer took', () => {
  const session = new Session('s')
  expect(contextFill(session)).toBeUndefined()
  const turn = recordTurn(session)
  const prompt = turn.prompt(userMessage('Hello'))
  const step = turn.step()
  step.header({ config })
  step.context({ ...config, contextWindow: 1_000 })
  expect(contextFill(session)).toBeUndefined()
  step.chunk({ type: 'usage', usage: { inputTokens: 100, outputTokens: 50, cacheReadTokens: 100 } })
  expect(contextFill(session)).toBe(0.25)
  step.chunk({ type: 'text-delta', index: 0, text: 'Hi' })
  step.finish()
  step.end()
  const next = turn.step()
  next.header({ config })
  next.message('Hello again', { usage: { inputTokens: 700, outputTokens: 50 } })
  expect(contextFill(session)).toBe(0.75)
  next.end()
  turn.close()
  const surfaceOp = { op: 'replace', start: prompt.seq, end: prompt.seq } as const
  session.append('user/message', userMessage('Hey'), { surfaceOp, sourceEventSeqs: [prompt.seq] })
  expect(contextFill(session)).toBeUndefined()
})
