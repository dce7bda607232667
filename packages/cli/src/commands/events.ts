import { defineCommand } from '../command.js'
import { findSession } from '../find-session.js'
import { flag, list, value } from '../option.js'
import { count, usage } from '../parse-value.js'
import { printEvents } from '../printing/events.js'
import { eventFilter } from '../reading/event-filter.js'
import { readEvents } from '../reading/read-events.js'

export default defineCommand({
  about:
    'Prints the events of a session, one on a line: number, time, type, and what it says. An event type nobody knows is ' +
    'printed like any other.',
  json: 'one event on each line, with its time as ISO 8601; `export --format jsonl` gives the log exactly',
  args: [{ name: 'id', about: 'the session: its id, the start of it, or @latest', completes: 'session' }],
  options: {
    type: list('type', 'only events of this type; a * stands for anything, and the option can be repeated'),
    from: value('seq', 'begin with this event', count('--from')),
    to: value('seq', 'end before this event', count('--to')),
    limit: value('n', 'at most n events', count('--limit', 1), { short: 'n' }),
    skipChunks: flag('leave out the chunks of streamed answers'),
    follow: flag('wait for more events, until interrupted', { short: 'f' }),
  },
  examples: [
    { command: 'dsh-session events demo --skip-chunks', about: 'The log without the chunks of streamed answers.' },
    { command: "dsh-session events demo --type 'tool/*' --from 4", about: 'Tool calls and results from event 4 on.' },
    { command: 'dsh-session events demo --json --limit 3', about: 'The first three events for a program.' },
  ],
  async run(context, [name], options) {
    const { from = 0, to = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = options
    if (options.follow && options.to !== undefined) throw usage('--follow and --to exclude each other')
    const matches = eventFilter(options)
    const { persistence } = await context.store()
    const { id } = await findSession(persistence, name!)
    const events = options.follow
      ? persistence.watch(id, from, context.signal)
      : readEvents(persistence, id, { from, to, signal: context.signal })
    await printEvents(context, events, { matches, limit, isLive: options.follow })
    context.signal.throwIfAborted()
    return 0
  },
})
