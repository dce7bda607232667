import { resolve } from 'node:path'
import { backendNames, backendRules, usualBackend } from '../backends.js'
import { defineCommand } from '../command.js'
import { eachSession } from '../each-session.js'
import { findSessions, listAll } from '../find-session.js'
import { amount, number } from '../format/number.js'
import { type CopyReport, copySession } from '../migrating/copy-session.js'
import { text, value } from '../option.js'
import { oneOf, usage } from '../parse-value.js'
import { openDriver } from '../store.js'
import type { Output } from '../terminal/output.js'
import { dim, green, pad } from '../terminal/text.js'

export default defineCommand({
  about:
    'Copies sessions into another storage, record by record, and holds each copy against its source event by event. The ' +
    'source stays as it is. What was broken off is continued when the same command runs again, and what is there already ' +
    'is only compared. The trash is left behind.',
  json: 'one { id, events, outcome } on each line, the outcome one of copied, continued, present',
  args: [{ name: 'id', about: 'the sessions; all of them where absent', takes: 'any', completes: 'session' }],
  options: {
    to: text('dir', `the root or database to copy into, created if need be: ${backendRules.usual}`, {
      completes: 'directory',
    }),
    toBackend: value(
      'name',
      `how it stores sessions: jsonl or sqlite; ${backendRules.database} (default: as --to says)`,
      oneOf('--to-backend', backendNames),
      { completes: backendNames },
    ),
  },
  examples: [
    { command: 'dsh-session migrate demo --to copy.sqlite', about: 'One session into a database.' },
    {
      command: 'dsh-session migrate demo scratch --to backup --to-backend jsonl',
      about: 'Two sessions into another root.',
    },
  ],
  async run(context, names, { to, toBackend }) {
    if (to === undefined) throw usage('migrate needs a target; give --to')
    const root = resolve(context.io.cwd, to)
    const { persistence } = await context.store()
    const source = await context.driver()
    const entries = await findSessions(persistence, names)
    const target = await openDriver({ root, backend: toBackend ?? usualBackend(root) })
    try {
      const code = await eachSession(context, entries, async ({ id, nextSeq, error }, index) => {
        if (error !== undefined) throw error
        const place = `${index + 1} of ${amount(entries.length, 'session')}, ${id}`
        const report = await copySession(source, target, id, events => {
          context.signal.throwIfAborted()
          context.progress().update(`${place}: ${number(events)} of ${amount(nextSeq, 'event')}`)
        })
        context.progress().clear()
        if (context.json) context.out.json(report)
        else print(context.out, report)
      })
      if (names.length === 0 && persistence.manifest.capabilities.trash) {
        let left = 0
        for await (const _ of listAll(persistence, { trashed: true })) left++
        if (left > 0) context.note(`${amount(left, 'session')} in the trash ${left === 1 ? 'was' : 'were'} left behind`)
      }
      return code
    } finally {
      await target.close()
    }
  },
})

function print(out: Output, { id, events, outcome }: CopyReport) {
  out.clipped([pad(green(outcome), 9), '  ', id, dim(`  ${amount(events, 'event')}`)])
}
