import { type CommandContext, defineCommand } from '../command.js'
import { findSession } from '../find-session.js'

export default defineCommand({
  about:
    'Prints where a session is stored, or without an id, where all of them are. Of a directory, that is the path of a log. In ' +
    'a database it is the file: URL of the database and, behind a #, the id as a JSON string in percent-encoding: ' +
    '`file:///x.sqlite#%22first%22` is the session `first` in /x.sqlite.',
  json: '{ path }',
  args: [
    { name: 'id', about: 'the session: its id, the start of it, or @latest', takes: 'optional', completes: 'session' },
  ],
  examples: [
    {
      command: 'dsh-session path',
      about: 'The root that the other commands look into.',
    },
    { command: 'dsh-session path demo', about: 'The log of one session.' },
  ],
  async run(context, [name]) {
    const path = name === undefined ? context.place.root : await locate(context, name)
    if (context.json) context.out.json({ path })
    else context.out.line(path)
    return 0
  },
})

async function locate(context: CommandContext, name: string): Promise<string> {
  const { persistence } = await context.store()
  const { header, error } = await findSession(persistence, name)
  if (header === undefined) throw error
  return persistence.locate(header)
}
