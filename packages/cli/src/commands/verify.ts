import type { VerifyReport } from '@dsh/persistence'
import { type CommandContext, defineCommand } from '../command.js'
import type { ExitCode } from '../error.js'
import { findSession, listAll } from '../find-session.js'
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
    const entries = names.length === 0 ? listAll(persistence) : names.map(name => findSession(persistence, name))
    let code: ExitCode = 0
    let checked = 0
    let damaged = 0
    for await (const entry of entries) {
      context.signal.throwIfAborted()
      context.progress().update(`${amount(checked, 'session')} checked, ${entry.id}`)
      const report = await checkSession(persistence, entry)
      if (report === undefined) continue
      checked++
      if (!report.isIntact) {
        damaged++
        code = 1
      }
      print(context, report)
      await context.out.relieve()
    }
    context.note(`${amount(checked, 'session')} checked, ${damaged} damaged`)
    return code
  },
})

function print(context: CommandContext, report: VerifyReport): void {
  const { out, json } = context
  context.progress().clear()
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
