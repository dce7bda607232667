/** The second process: what the first one has left, and the rest of its work. */

import { stopApp } from '../app.ts'
import { openConversation } from '../conversation.ts'
import { count, describeCloser, describeHistory } from '../terminal/describe.ts'
import { digestOf } from './digest.ts'
import { type Stage, startScene } from './scene.ts'

export async function recover(stage: Stage): Promise<void> {
  const { app, screen } = await startScene(stage)
  const conversation = await openConversation(app, { kind: 'resume', id: stage.id })
  const { session, loop, closers } = conversation
  const { events, digest } = stage.acknowledged!
  if (session.seq < events || digestOf(session, events) !== digest) throw new Error('Acknowledged events are missing.')
  screen.line(`All ${count(events)} acknowledged events are there, byte for byte.`)
  screen.line('Nobody had closed the turn. These events close it, and are appended like any other:')
  for (const closer of closers) screen.line(`  seq ${closer.seq}  ${describeCloser(closer)}`)
  screen.line('What the model sees at the end of the history:')
  for (const line of describeHistory(session.deriveMessages(), screen.width).slice(-3)) screen.line(line)
  await loop.retry()
  await conversation.close()
  await stopApp(app)
}
