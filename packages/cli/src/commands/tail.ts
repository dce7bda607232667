import { defineCommand } from '../command.js'
import { findSession } from '../find-session.js'
import { flag, list, value } from '../option.js'
import { count } from '../parse-value.js'
import { printEvents } from '../printing/events.js'
import { eventFilter } from '../reading/event-filter.js'
import { readEvents, startOfLast } from '../reading/read-events.js'

export default defineCommand({
  about:
    'Prints the last events of a session. With --follow it goes on with each event that is stored, whoever stores it: ' +
    'every one once, in order, and only what is durable.',
  json: 'one event on each line, as `events --json` prints it',
  args: [{ name: 'id', about: 'the session: its id, the start of it, or @latest', completes: 'session' }],
  options: {
    lines: value('n', 'begin with the last n events', count('--lines'), { short: 'n', fallback: '10' }),
    follow: flag('wait for more events, until interrupted', { short: 'f' }),
    type: list('type', 'only events of this type; a * stands for anything, and the option can be repeated'),
    skipChunks: flag('leave out the chunks of streamed answers'),
  },
  examples: [
    { command: 'dsh-session tail demo -n 3', about: 'The last three events.' },
    { command: 'dsh-session tail @latest --skip-chunks', about: 'What happened last in the session last at work.' },
  ],
  async run(context, [name], options) {
    const { persistence } = await context.store()
    const { id, nextSeq } = await findSession(persistence, name!)
    const matches = eventFilter(options)
    const from = await startOfLast(persistence, id, nextSeq, options.lines ?? 10, matches, context.signal)
    const events = options.follow
      ? persistence.watch(id, from, context.signal)
      : readEvents(persistence, id, { from, to: Number.POSITIVE_INFINITY, signal: context.signal })
    const printing = { matches, limit: Number.POSITIVE_INFINITY, isLive: options.follow }
    await printEvents(context, events, printing)
    context.signal.throwIfAborted()
    return 0
  },
})
