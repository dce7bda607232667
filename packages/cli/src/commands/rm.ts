import { createInterface } from 'node:readline/promises'
import { type CommandContext, defineCommand } from '../command.js'
import { eachSession } from '../each-session.js'
import { findExactSession } from '../find-session.js'
import { flag } from '../option.js'
import { usage } from '../parse-value.js'
import { visible } from '../terminal/visible.js'

export default defineCommand({
  about:
    'Removes sessions for good; forks of them keep what they inherited. Whole ids only, and a question for each unless ' +
    '--yes is given. One that somebody writes is refused.',
  json: 'one { id, removed: true } on each line',
  args: [{ name: 'id', about: 'the ids of the sessions, whole', takes: 'some', completes: 'session' }],
  options: { yes: flag('do not ask', { short: 'y' }) },
  examples: [{ command: 'dsh-session rm scratch --yes', about: 'Gone for good.' }],
  async run(context, names, { yes }) {
    if (!yes && !(context.io.stdin.isTTY && context.io.stderr.isTTY)) {
      throw usage('rm asks before it removes anything, and nobody can answer here; give --yes')
    }
    const { persistence } = await context.store()
    return eachSession(context, names, async name => {
      const { id } = await findExactSession(persistence, name)
      if (!yes && !(await confirm(context, id))) return
      await persistence.delete(id)
      if (context.json) context.out.json({ id, removed: true })
      else context.out.line(id)
    })
  },
})

async function confirm({ io, signal }: CommandContext, id: string): Promise<boolean> {
  const lines = createInterface({ input: io.stdin, output: io.stderr })
  try {
    // A question is never answered when the input ends.
    const ended = new Promise<string>(resolve => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(`Remove ${visible(id)} for good? [y/N] `, { signal }), ended])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
