import { defineCommand } from '../command.js'
import { findSession } from '../find-session.js'
import { amount } from '../format/number.js'
import { isoTime } from '../format/time.js'
import { text, value } from '../option.js'
import { count } from '../parse-value.js'

export default defineCommand({
  about:
    'Makes a new stored session that begins with the events of another and goes on alone. The source stays as it is, and ' +
    'may be at work. Prints the id of the new session.',
  json: '{ id, createdAt, parentSession, seedLength, cwd?, delegationDepth? }',
  args: [{ name: 'id', about: 'the session: its id, the start of it, or @latest', completes: 'session' }],
  options: {
    boundary: value(
      'seq',
      'the last event to take over; no turn may be open behind it (default: the last of the log)',
      count('--boundary'),
    ),
    as: text('id', 'the id of the new session (default: a random one)'),
  },
  examples: [
    {
      command: 'dsh-session fork demo --as demo-again',
      about: 'A second session that goes on from the end of the first.',
    },
    { command: 'dsh-session fork demo --boundary 16', about: 'One that goes on behind the turn that event 16 ends.' },
  ],
  async run(context, [name], { boundary, as }) {
    const { persistence } = await context.store()
    const { id: source } = await findSession(persistence, name!)
    const { version: _, createdAt, ...header } = await persistence.fork(source, boundary, as)
    if (context.json) context.out.json({ ...header, createdAt: isoTime(createdAt) })
    else context.out.line(header.id)
    context.note(`forked ${source} with ${amount(header.seedLength ?? 0, 'event')}`)
    return 0
  },
})
