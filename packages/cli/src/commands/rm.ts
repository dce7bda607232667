import { defineCommand } from '../command.js'
import { Consent } from '../consent.js'
import { eachSession } from '../each-session.js'
import { findExactSession } from '../find-session.js'
import { flag } from '../option.js'
import { visible } from '../terminal/visible.js'

export default defineCommand({
  about:
    'Removes sessions for good; forks of them keep what they inherited. Whole ids only, and a question for each unless ' +
    '--yes is given. One that somebody writes is refused.',
  json: 'one { id, removed: true } on each line',
  args: [
    {
      name: 'id',
      about: 'the ids of the sessions, whole',
      takes: 'some',
      completes: 'session',
      completesWith: { trashed: 'trashed' },
    },
  ],
  options: {
    trashed: flag('remove them from the trash, all that had one id at once; what is stored under that id stays'),
    yes: flag('do not ask', { short: 'y' }),
  },
  examples: [
    { command: 'dsh-session rm scratch --yes', about: 'Gone for good.' },
    { command: 'dsh-session rm --trashed discarded --yes', about: 'Gone from the trash, too.' },
  ],
  async run(context, names, { trashed, yes }) {
    const consent = new Consent(context, 'rm', yes)
    const { persistence } = await context.store()
    const removing = eachSession(context, names, async name => {
      const { id } = await findExactSession(persistence, name, { trashed })
      if (!(await consent.toRemove(trashed ? `${visible(id)} from the trash` : visible(id)))) return
      await persistence.delete(id, { trashed })
      if (context.json) context.out.json({ id, removed: true })
      else context.out.line(id)
    })
    return removing.finally(() => consent.close())
  },
})
