import type { SessionListing, SessionPersistence } from '@dsh/persistence'
import { isSessionError } from '@dsh/session'
import { type CommandContext, defineCommand } from '../command.js'
import { findSession, listAll } from '../find-session.js'
import { amount } from '../format/number.js'
import { printTotals } from '../printing/totals.js'
import { Totals } from '../reading/totals.js'

export default defineCommand({
  about:
    'Counts what is stored: sessions, events, turns, tokens by model, calls by tool. What a fork took over counts once, ' +
    'with the session where it happened. Damaged sessions are counted and not read.',
  json:
    '{ sessions: { ok, unfinished, corrupt }, bytes?, events, firstTime?, lastTime?, turns, calls, tokens, models: ' +
    '[{ model, tokens }], tools: [{ tool, calls, errors, milliseconds }], types?: [{ type, events }] }',
  args: [{ name: 'id', about: 'a session; all of them where absent', takes: 'optional', completes: 'session' }],
  examples: [
    { command: 'dsh-session stats', about: 'Everything in the root.' },
    { command: 'dsh-session stats demo', about: 'One session, with its events by type.' },
  ],
  async run(context, [name]) {
    const { persistence } = await context.store()
    const totals = name === undefined ? await sumOfAll(context, persistence) : await sumOfOne(persistence, name)
    context.progress().clear()
    if (context.json) context.out.json(totals)
    else printTotals(context.out, totals)
    return 0
  },
})

async function sumOfOne(persistence: SessionPersistence, name: string): Promise<Totals> {
  const totals = new Totals()
  const entry = await findSession(persistence, name)
  const { view } = await persistence.load(entry.id)
  totals.add(entry, view)
  totals.addTypes(view)
  return totals
}

async function sumOfAll(context: CommandContext, persistence: SessionPersistence): Promise<Totals> {
  const totals = new Totals()
  for await (const entry of listAll(persistence)) {
    context.signal.throwIfAborted()
    context.progress().update(`${amount(totals.sessions, 'session')} read, ${entry.id}`)
    await addSession(persistence, entry, totals)
  }
  return totals
}

async function addSession(persistence: SessionPersistence, entry: SessionListing, totals: Totals): Promise<void> {
  if (entry.state === 'corrupt') return totals.addUnread(entry)
  try {
    const { view } = await persistence.load(entry.id)
    totals.add(entry, view)
  } catch (error) {
    // A list does not look at all of a log, and the session may be gone by now.
    if (isSessionError(error, 'SESSION_CORRUPT')) totals.addUnread({ ...entry, state: 'corrupt' })
    else if (!isSessionError(error, 'SESSION_NOT_FOUND')) throw error
  }
}
