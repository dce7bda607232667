import type { UserMessage } from '@dsh/llm'
import type { Session, SessionEvent } from '@dsh/session'
import './events.js'

/** Records that a hook blocked `prompt`. The prompt's id is given up: no message was made of it. */
export function blockPrompt(session: Session, prompt: UserMessage, reason: string): SessionEvent<'prompt/blocked'> {
  const { content, source } = prompt
  return session.append('prompt/blocked', { content, source, reason })
}
