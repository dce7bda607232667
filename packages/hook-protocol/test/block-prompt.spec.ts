import { userMessage } from '@dsh/llm'
import { Session } from '@dsh/session'
import { expect, it } from 'vitest'
import { blockPrompt } from '../src/index.js'

it('records the prompt with the reason, and shows the model nothing', () => {
  const session = new Session('s')
  const prompt = userMessage('rm -rf /')
  const event = blockPrompt(session, prompt, 'Not here.')
  expect(event).toMatchObject({
    type: 'prompt/blocked',
    data: { content: prompt.content, source: { kind: 'user' }, reason: 'Not here.' },
  })
  expect(session.deriveMessages()).toEqual([])
})
