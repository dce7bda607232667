import { access, constants } from 'node:fs/promises'
import type { SalvageReport, SessionPersistence } from '@dsh/persistence'
import { isSessionError } from '@dsh/session'
import { type CommandContext, defineCommand } from '../command.js'
import { eachSession } from '../each-session.js'
import { findSessions } from '../find-session.js'
import { amount, bytes, number } from '../format/number.js'
import { isoTime } from '../format/time.js'
import { flag, text } from '../option.js'
import { usage } from '../parse-value.js'
import { type Diagnosis, diagnose, type Lineage } from '../reading/diagnosis.js'
import { bold, dim, green, red, type Text, yellow } from '../terminal/text.js'
import { linesOf } from '../terminal/wrap.js'

export default defineCommand({
  about:
    'Tells in words what is wrong with stored sessions: damage, with what it costs, and what merely looks odd. With ' +
    '--salvage, what can be read of a damaged session is written into a new one, and a report says what could not. The ' +
    'damaged session is never touched. Damage makes the exit code 1, whether or not it was salvaged.',
  json:
    'one { id, events, findings: [{ kind, words }] } on each line, and behind it with --salvage a { salvaged, recovered, ' +
    'lost, unreadable, degraded }',
  args: [{ name: 'id', about: 'the sessions; all of them where absent', takes: 'any', completes: 'session' }],
  options: {
    salvage: flag('write a repaired copy of what is damaged'),
    as: text('id', 'the id of the copy (default: the id of the session with -salvaged behind it)'),
  },
  examples: [
    { command: 'dsh-session doctor', about: 'Everything that is wrong in the root.' },
    { command: 'dsh-session doctor broken --salvage', about: 'What can be read of a damaged session, in a new one.' },
  ],
  async run(context, names, { salvage, as }) {
    if (as !== undefined && (!salvage || names.length !== 1)) throw usage('--as goes with --salvage and one session')
    const { persistence } = await context.store()
    await tellOfRoot(context)
    const all = await findSessions(persistence, [])
    const lineage: Lineage = new Map(all.map(({ id, header }) => [id, header?.parentSession]))
    const entries = names.length === 0 ? all : await findSessions(persistence, names)
    let damaged = 0
    const code = await eachSession(context, entries, async (entry, index) => {
      context.progress().update(`${index} of ${amount(entries.length, 'session')}, ${entry.id}`)
      const diagnosis = await diagnose(persistence, entry, {
        lineage,
        root: context.place.root,
        signal: context.signal,
      })
      if (diagnosis === undefined) return
      const isDamaged = diagnosis.findings.some(({ kind }) => kind === 'damage')
      if (isDamaged) damaged++
      report(context, diagnosis, names.length > 0)
      if (isDamaged && salvage) reportSalvage(context, await salvageAs(persistence, entry.id, as))
    })
    context.note(`${amount(entries.length, 'session')} examined, ${damaged} damaged`)
    return code === 0 && damaged > 0 ? 1 : code
  },
})

async function tellOfRoot(context: CommandContext): Promise<void> {
  const { root } = context.place
  const mayWrite = await access(root, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!mayWrite) context.note(`${root} cannot be written by this user: nothing can be stored, salvaged or removed`)
}

/** Salvages into `target`, or into the first id that is free. */
async function salvageAs(
  persistence: SessionPersistence,
  id: string,
  target: string | undefined,
): Promise<SalvageReport> {
  if (target !== undefined) return persistence.salvage(id, target)
  for (let attempt = 1; ; attempt++) {
    try {
      return await persistence.salvage(id, `${id}-salvaged${attempt === 1 ? '' : `-${attempt}`}`)
    } catch (error) {
      if (!isSessionError(error, 'SESSION_ALREADY_EXISTS')) throw error
    }
  }
}

function report({ out, json, progress }: CommandContext, { id, events, findings }: Diagnosis, wasNamed: boolean): void {
  progress().clear()
  if (json) {
    out.json({ id, events, findings })
    return
  }
  if (findings.length === 0 && !wasNamed) return
  out.line([bold(id), dim(`  ${amount(events, 'event')}`)])
  if (findings.length === 0) out.line(['  ', green('nothing is wrong')])
  for (const { kind, words } of findings) {
    printParagraph(out, kind === 'damage' ? red('damage') : yellow('note  '), words)
  }
}

function reportSalvage({ out, json }: CommandContext, saved: SalvageReport): void {
  const { header, ...rest } = saved
  if (json) out.json({ salvaged: header.id, createdAt: isoTime(header.createdAt), ...rest })
  else printParagraph(out, green('saved '), describeSalvage(saved))
}

function printParagraph(out: CommandContext['out'], label: Text, words: string): void {
  const indent = '  '
  const hang = `${indent}        `
  const [first = '', ...rest] = linesOf(words, out.columns === undefined ? undefined : out.columns - hang.length)
  out.line([indent, label, '  ', first])
  for (const line of rest) out.line([hang, line])
}

function describeSalvage({ header, recovered, lost, unreadable, degraded }: SalvageReport): string {
  const lostCount = lost.reduce((sum, { from, to }) => sum + to - from, 0)
  const ranges = lost.map(({ from, to }) => (to - from === 1 ? number(from) : `${number(from)}–${number(to - 1)}`))
  const parts = [`${amount(recovered, 'event')} in the new session ${header.id}.`]
  if (lostCount > 0) parts.push(`${amount(lostCount, 'event')} lost: ${ranges.join(', ')}.`)
  for (const { reason, seq, byte, bytes: size } of unreadable) {
    const place = seq !== undefined ? `event ${number(seq)}` : byte !== undefined ? `byte ${number(byte)}` : 'the log'
    parts.push(`Not read at ${place}${size === undefined ? '' : ` (${bytes(size)})`}: ${reason}.`)
  }
  if (degraded.length > 0) {
    const seqs = degraded.map(({ seq }) => number(seq)).join(', ')
    parts.push(`Placed otherwise on the surface, since what they replaced is lost: ${seqs}.`)
  }
  return parts.join(' ')
}
