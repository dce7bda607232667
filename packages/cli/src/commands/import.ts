import { randomUUID } from 'node:crypto'
import type { VerifyReport } from '@dsh/persistence'
import type { ImportOptions, ImportReport } from '@dsh/transcript-import'
import { streamTranscript, transcriptFormats } from '@dsh/transcript-import'
import { type CommandContext, defineCommand } from '../command.js'
import { eachSession } from '../each-session.js'
import { readFile } from '../files.js'
import { amount, number } from '../format/number.js'
import { SessionStorer } from '../importing/session-storer.js'
import { flag, text, value } from '../option.js'
import { oneOf, usage } from '../parse-value.js'
import { bold, dim, pad, red, yellow } from '../terminal/text.js'

export default defineCommand({
  about:
    'Stores transcripts of other tools as sessions: one for each branch and sub-agent. The format is found from the ' +
    'content. Nothing is left out: what has no counterpart is kept in the log as it is, and a report counts what went ' +
    'where. A file is imported whole or not at all.',
  json: 'one { file, format?, records, blankLines, kinds, damaged, damage, sessions } for each file',
  args: [{ name: 'file', about: 'the transcripts; - for standard input', takes: 'some', completes: 'file' }],
  options: {
    format: value('format', 'the format, where the content should not decide', oneOf('--format', transcriptFormats), {
      completes: transcriptFormats,
    }),
    as: text('id', 'the id of the session (default: what the transcript calls it, or a random one)'),
    newIds: flag('give every session a random id, so that a transcript can be imported again'),
    provider: text('name', 'the provider of answers that name none'),
    model: text('name', 'the model of answers that name none'),
  },
  examples: [
    { command: 'dsh-session import chat.json', about: 'A list of messages becomes a session.' },
    { command: 'dsh-session import chat.json --as earlier --json', about: 'The same under an id of your own.' },
  ],
  async run(context, files, { as, newIds, ...options }) {
    if (as !== undefined && (newIds || files.length > 1)) throw usage('--as goes with one file, and without --new-ids')
    const given = Object.fromEntries(Object.entries(options).filter(([, option]) => option !== undefined))
    const importOptions: ImportOptions = { ...given, ...idsFor(as, newIds) }
    return eachSession(context, files, async file => {
      const report = await importFile(context, file, importOptions)
      for (const { id } of report.sessions) requireIntact(await (await context.store()).persistence.verify(id))
      print(context, file, report)
    })
  },
})

function idsFor(as: string | undefined, newIds: boolean): Pick<ImportOptions, 'sessionId'> {
  if (as === undefined && !newIds) return {}
  const live = as ?? randomUUID()
  return {
    sessionId: ({ role, key, sourceId }) => {
      if (role === 'parent') return sourceId!
      if (role === 'live') return as ?? randomUUID()
      return newIds ? randomUUID() : `${live}/${key}`
    },
  }
}

async function importFile(context: CommandContext, file: string, options: ImportOptions): Promise<ImportReport> {
  const driver = await context.driver()
  const storer = new SessionStorer(driver)
  let events = 0
  try {
    const steps = streamTranscript(readFile(file, context.io), options)
    for (;;) {
      context.signal.throwIfAborted()
      const step = await steps.next()
      if (step.done) return step.value
      await storer.take(step.value)
      events += step.value.events.length
      context.progress().update(`${file}: ${amount(events, 'event')}`)
    }
  } catch (error) {
    await storer.undo()
    throw error
  }
}

/** What was stored was read back: a failure here is told like any damage. */
function requireIntact({ error }: VerifyReport): void {
  if (error !== undefined) throw error
}

function print(context: CommandContext, file: string, report: ImportReport): void {
  const { out, json } = context
  context.progress().clear()
  if (json) {
    out.json({ file, ...report })
    return
  }
  const { format = 'empty', records, sessions, damaged, damage, kinds } = report
  out.line([bold(file), dim(`  ${format}, ${amount(records, 'record')}`)])
  for (const { id, role, events, unansweredCalls } of sessions) {
    const unanswered = unansweredCalls === 0 ? '' : yellow(`  ${amount(unansweredCalls, 'call')} without an answer`)
    out.line([
      '  ',
      pad(role === 'live' ? 'session' : role, 8),
      '  ',
      id,
      dim(`  ${amount(events, 'event')}`),
      unanswered,
    ])
  }
  const kept = Object.entries(kinds).filter(([, { kept }]) => kept > 0)
  if (kept.length > 0) {
    out.line(['  kept as they are: ', kept.map(([kind, { kept }]) => `${number(kept)} ${kind}`).join(', ')])
  }
  if (damaged > 0) out.line(['  ', red(`${amount(damaged, 'place')} could not be read`)])
  for (const { origin, reason } of damage) {
    const { line, byte, path } = origin
    const place =
      line !== undefined ? `line ${number(line)}` : byte !== undefined ? `byte ${number(byte)}` : (path ?? '')
    out.line(['    ', dim(place), `  ${reason}`])
  }
}
