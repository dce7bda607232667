import { requestAt } from '@dsh/session'
import { defineCommand } from '../command.js'
import { findSession } from '../find-session.js'
import { isoTime } from '../format/time.js'
import { flag, value } from '../option.js'
import { count } from '../parse-value.js'
import { printMessage, printRequestHeader } from '../printing/message.js'
import { type SurfaceMessage, surfaceMessages } from '../reading/surface-messages.js'
import { viewAt } from '../reading/view-at.js'

export default defineCommand({
  about:
    'Prints the message history that the model sees: at the end of the log, or as it was at an earlier point. Long texts ' +
    'of tools are cut unless --full is given.',
  json: 'one { seq, time, message } on each line, the message as it is; with --request, a { request: { header?, contextWindow? } } before them',
  args: [{ name: 'id', about: 'the session: its id, the start of it, or @latest', completes: 'session' }],
  options: {
    at: value('seq', 'the history when the next event had this number', count('--at')),
    last: value('n', 'only the last n messages', count('--last'), { short: 'n' }),
    request: flag('also what else a request sent then consists of: model, system prompt, tools'),
    full: flag('do not cut long texts'),
  },
  examples: [
    { command: 'dsh-session messages demo', about: 'What the model would get next.' },
    { command: 'dsh-session messages demo --at 6 --request', about: 'The request that was sent at event 6, whole.' },
  ],
  async run(context, [name], options) {
    const { json, out } = context
    const { persistence } = await context.store()
    const { id } = await findSession(persistence, name!)
    const { view } = await persistence.load(id)
    const prefix = options.at === undefined ? view : viewAt(view, options.at)
    if (options.request) {
      const { messages: _, ...request } = requestAt(prefix, prefix.seq)
      if (json) out.json({ request })
      else printRequestHeader(out, request)
    }
    const all = surfaceMessages(prefix)
    const shown = options.last === undefined ? all : all.slice(Math.max(0, all.length - options.last))
    for (const [index, item] of shown.entries()) {
      if (json) out.json(toJson(item))
      else {
        if (index > 0 || options.request) out.line()
        printMessage(out, item, options)
      }
      await out.relieve()
    }
    return 0
  },
})

function toJson({ seq, time, message }: SurfaceMessage) {
  return { seq, time: isoTime(time), message }
}
