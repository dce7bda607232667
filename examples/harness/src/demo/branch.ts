/** The fourth process: a fork behind the first turn, and both go on. */
import { outline } from '@dsh/session'
import { stopApp } from '../app.ts'
import { openConversation } from '../conversation.ts'
import { count } from '../terminal/describe.ts'
import { showHistory } from './outgrow.ts'
import { report, type Stage, startScene } from './scene.ts'

export async function branch(stage: Stage): Promise<void> {
  const { app, screen } = await startScene(stage)
  const parent = await openConversation(app, { kind: 'resume', id: stage.id })
  const id = `${stage.id}-fork`
  const child = await openConversation(app, { kind: 'fork', source: parent.session, turn: 1, id })
  report({ kind: 'log', id, path: app.sessionPersistence.locate(child.session.header) })
  screen.line(`${id} shares the first ${count(child.session.seq)} events of ${stage.id}, up to the end of turn 1.`)
  screen.line('The fork:')
  await child.loop.prompt('Search for "import" and say where it is.')
  await child.loop.prompt('What have we done so far?')
  screen.line('The original:')
  await parent.loop.prompt('Run `cat .dsh-demo/entries.txt`')
  showHistory(screen, 'In the fork', child.session)
  const turns = (session: typeof parent.session) => session.fold(outline).turns.length
  screen.line(`The original has ${turns(parent.session)} turns, the fork ${turns(child.session)}.`)
  await child.close()
  await parent.close()
  await stopApp(app)
}
