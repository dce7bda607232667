import type { VerifyReport } from '@dsh/persistence'
import { type CommandContext, defineCommand } from '../command.js'
import { eachSession } from '../each-session.js'
import { findSessions } from '../find-session.js'
import { amount, bytes } from '../format/number.js'
import { checkSession } from '../reading/check-session.js'
import { dim, green, pad, red, type Text, yellow } from '../terminal/text.js'

export default defineCommand({
  about:
    'Reads stored sessions whole and checks every record of them. Nothing is changed, and a session that is at work can ' +
    'be checked, too. A damaged one makes the exit code 1.',
  json: 'one { id, isIntact, events, hasOpenTurn, recovery?, error? } on each line',
  args: [{ name: 'id', about: 'the sessions; all of them where absent', takes: 'any', completes: 'session' }],
  examples: [
    { command: 'dsh-session verify', about: 'Every session of the root.' },
    { command: 'dsh-session verify demo', about: 'One of them.' },
  ],
  async run(context, names) {
    const { persistence } = await context.store()
    const entries = await findSessions(persistence, names)
    let damaged = 0
    const code = await eachSession(context, entries, async (entry, index) => {
      context.progress().update(`${index} of ${amount(entries.length, 'session')}, ${entry.id}`)
      const report = await checkSession(persistence, entry)
      if (report === undefined) return
      if (!report.isIntact) damaged++
      print(context, report)
    })
    context.note(`${amount(entries.length, 'session')} checked, ${damaged} damaged`)
    return code === 0 && damaged > 0 ? 1 : code
  },
})

function print({ out, json, progress }: CommandContext, report: VerifyReport): void {
  progress().clear()
  if (json) {
    const { header: _, error, ...facts } = report
    out.json({ ...facts, ...(error !== undefined && { error: error.message }) })
    return
  }
  out.clipped([pad(state(report), 9), '  ', report.id, dim(`  ${describe(report)}`)])
}

function state({ isIntact, recovery, hasOpenTurn }: VerifyReport): Text {
  if (!isIntact) return red('damaged')
  if (recovery !== undefined) return yellow('torn')
  return hasOpenTurn ? yellow('open turn') : green('ok')
}

function describe({ error, events, recovery }: VerifyReport): string {
  if (error !== undefined) return error.message
  const cut = recovery === undefined ? '' : `, ${bytes(recovery.cutBytes)} of the end cannot be used`
  return `${amount(events, 'event')}${cut}`
}
