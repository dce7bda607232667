/** The first process: a conversation of three turns, of which the third is not to end. */
import { openConversation } from '../conversation.ts'
import { tools } from '../tools/index.ts'
import { digestOf } from './digest.ts'
import { report, type Stage, startScene } from './scene.ts'

export async function talk(stage: Stage): Promise<void> {
  const { app } = await startScene(stage, {
    tools: tools.map(tool => ({
      ...tool,
      run(args, context) {
        const { session } = context
        // The checkpoint before the tool has just been passed.
        const events = app.sessionPersistence.durableSeq(session)
        const acknowledged = { events, digest: digestOf(session, events) }
        report({ kind: 'running', tool: tool.schema.name, acknowledged })
        return tool.run(args, context)
      },
    })),
  })
  const { loop, session } = await openConversation(app, { kind: 'new', id: stage.id, cwd: stage.directory })
  report({ kind: 'log', id: session.id, path: app.sessionPersistence.locate(session.header) })
  await loop.prompt('Find the 3 longest source files and summarise their exports.')
  loop.inject('ci', 'the build of the main branch is green')
  await loop.prompt('Search for "export class" and write it to .dsh-demo/classes.md')
  await loop.prompt('Run `sleep 2; ls | wc -l > .dsh-demo/entries.txt`')
}
