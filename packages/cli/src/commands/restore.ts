import { defineCommand } from '../command.js'
import { eachSession } from '../each-session.js'
import { findSession } from '../find-session.js'

export default defineCommand({
  about: 'Takes sessions out of the trash. Of several that had one id, the last one comes back.',
  json: 'one { id, restored: true } on each line',
  args: [{ name: 'id', about: 'the sessions: their ids, or the starts of them', takes: 'some', completes: 'trashed' }],
  examples: [{ command: 'dsh-session restore discarded', about: 'A session comes back from the trash.' }],
  async run(context, names) {
    const { persistence } = await context.store()
    return eachSession(context, names, async name => {
      const { id } = await findSession(persistence, name, { trashed: true })
      await persistence.restore(id)
      if (context.json) context.out.json({ id, restored: true })
      else context.out.line(id)
    })
  },
})
