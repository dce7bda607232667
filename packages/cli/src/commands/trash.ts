import type { SessionListing, SessionPersistence } from '@dsh/persistence'
import { type CommandContext, defineCommand } from '../command.js'
import { Consent } from '../consent.js'
import { eachSession } from '../each-session.js'
import type { ExitCode } from '../error.js'
import { findSession, listAll } from '../find-session.js'
import { amount } from '../format/number.js'
import { flag } from '../option.js'
import { usage } from '../parse-value.js'
import { visible } from '../terminal/visible.js'

export default defineCommand({
  about:
    'Puts sessions into the trash, from where `restore` takes them back. One that somebody writes is refused. With ' +
    '--empty, everything in the trash is removed for good, with a question for each id unless --yes is given.',
  json: 'one { id, trashed: true } on each line; with --empty one { id, removed }, false where --dry-run only tells',
  args: [
    {
      name: 'id',
      about: 'the sessions: their ids, or the starts of them',
      takes: 'any',
      completes: 'session',
      completesWith: { empty: [] },
    },
  ],
  options: {
    empty: flag('remove everything that is in the trash for good'),
    dryRun: flag('with --empty, only tell what would be removed', { short: 'n' }),
    yes: flag('with --empty, do not ask', { short: 'y' }),
  },
  examples: [
    { command: 'dsh-session trash scratch', about: 'Out of the way, but not gone.' },
    { command: 'dsh-session trash --empty --dry-run', about: 'What is in the trash, and would go.' },
    { command: 'dsh-session trash --empty --yes', about: 'Gone for good.' },
  ],
  async run(context, names, { empty, dryRun, yes }) {
    if (empty) {
      if (names.length > 0) throw usage('--empty takes no ids; rm --trashed removes single sessions from the trash')
      if (dryRun && yes) throw usage('give either --dry-run or --yes')
      const consent = dryRun ? undefined : new Consent(context, 'trash --empty', yes)
      return emptyTrash(context, consent).finally(() => consent?.close())
    }
    if (names.length === 0) throw usage('trash needs to know which sessions; give their ids, or --empty')
    if (dryRun || yes) throw usage('--dry-run and --yes go with --empty')
    const { persistence } = await context.store()
    return eachSession(context, names, async name => {
      const { id } = await findSession(persistence, name)
      await persistence.trash(id)
      if (context.json) context.out.json({ id, trashed: true })
      else context.out.line(id)
    })
  },
})

/** @param consent absent: only tells what would be removed */
async function emptyTrash(context: CommandContext, consent: Consent | undefined): Promise<ExitCode> {
  const { persistence } = await context.store()
  let count = 0
  const code = await eachSession(context, await listTrash(persistence), async sessions => {
    const { id } = sessions[0]!
    if (consent) {
      const what = sessions.length === 1 ? visible(id) : `${sessions.length} sessions ${visible(id)}`
      if (!(await consent.toRemove(`${what} from the trash`))) return
      await persistence.delete(id, { trashed: true })
    }
    count += sessions.length
    for (const _ of sessions) {
      if (context.json) context.out.json({ id, removed: consent !== undefined })
      else context.out.line(id)
    }
  })
  context.note(`${amount(count, 'session')} ${consent ? '' : 'would be '}removed from the trash`)
  return code
}

/**
 * What is in the trash, those that had one id together. First comes what is listed by a name since its header cannot be
 * read: it would go with the others of the id that it had, and its own name would lead nowhere.
 */
async function listTrash(persistence: SessionPersistence): Promise<SessionListing[][]> {
  const byId = new Map<string, SessionListing[]>()
  for await (const entry of listAll(persistence, { trashed: true })) {
    byId.set(entry.id, [...(byId.get(entry.id) ?? []), entry])
  }
  const hasHeader = (sessions: readonly SessionListing[]) => sessions.some(({ header }) => header !== undefined)
  return [...byId.values()].sort((one, other) => Number(hasHeader(one)) - Number(hasHeader(other)))
}
