import { defineCommand } from '../command.js'
import { eachSession } from '../each-session.js'
import { findSession } from '../find-session.js'

export default defineCommand({
  about: 'Puts sessions into the trash, from where `restore` takes them back. One that somebody writes is refused.',
  json: 'one { id, trashed: true } on each line',
  args: [{ name: 'id', about: 'the sessions: their ids, or the starts of them', takes: 'some', completes: 'session' }],
  examples: [{ command: 'dsh-session trash scratch', about: 'Out of the way, but not gone.' }],
  async run(context, names) {
    const { persistence } = await context.store()
    return eachSession(context, names, async name => {
      const { id } = await findSession(persistence, name)
      await persistence.trash(id)
      if (context.json) context.out.json({ id, trashed: true })
      else context.out.line(id)
    })
  },
})
