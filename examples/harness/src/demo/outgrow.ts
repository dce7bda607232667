/** The third process: the history gets too long for the context. */
import { contextFill } from '@dsh/compaction'
import { type Message, messageText } from '@dsh/llm'
import type { Session } from '@dsh/session'
import { stopApp } from '../app.ts'
import { openConversation } from '../conversation.ts'
import { amount, count, describeHistory } from '../terminal/describe.ts'
import type { Screen } from '../terminal/screen.ts'
import { type Stage, startScene } from './scene.ts'

/** Share of the context above which the harness summarises here, so that a conversation of a minute gets there. */
const FILL = 0.1

export async function outgrow(stage: Stage): Promise<void> {
  const { app, screen } = await startScene(stage, { contextFill: FILL })
  const conversation = await openConversation(app, { kind: 'resume', id: stage.id })
  const { session, loop } = conversation
  const percent = (share: number) => `${Math.round(share * 100)} %`
  screen.line(`The context is ${percent(contextFill(session) ?? 0)} full.`)
  screen.line(`Here the harness summarises above ${percent(FILL)} already, and not above 80 %.`)
  showHistory(screen, 'Before', session)
  const before = session.seq
  await loop.prompt('What have we done so far?')
  showHistory(screen, 'After', session)
  const shadowed = session.at(before).surface.nodes.length
  screen.line(`The ${count(shadowed)} messages are still in the log; the summary took their place on the surface only.`)
  await conversation.close()
  await stopApp(app)
}

export function showHistory(screen: Screen, when: string, session: Session): void {
  const messages = session.deriveMessages()
  screen.line(`${when}, the model sees ${amount(messages.length, 'message')}, ${count(sizeOf(messages))} characters:`)
  for (const line of describeHistory(messages, screen.width)) screen.line(line)
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageText(message).length, 0)
}
