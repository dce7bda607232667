import { access, constants } from 'node:fs/promises'
import type { SalvageReport, SessionListing, SessionPersistence } from '@dsh/persistence'
import { isSessionError } from '@dsh/session'
import { type CommandContext, defineCommand } from '../command.js'
import type { ExitCode } from '../error.js'
import { findSession, listAll } from '../find-session.js'
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
  json: 'one { id, events, findings: [{ kind, words }], salvage?: { id, recovered, lost, unreadable, degraded } } on each line',
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
    const all: SessionListing[] = []
    for await (const entry of listAll(persistence)) all.push(entry)
    const lineage: Lineage = new Map(all.map(({ id, header }) => [id, header?.parentSession]))
    const entries = names.length === 0 ? all : await Promise.all(names.map(name => findSession(persistence, name)))
    let code: ExitCode = 0
    let damaged = 0
    for (const [index, entry] of entries.entries()) {
      context.signal.throwIfAborted()
      context.progress().update(`${index} of ${amount(entries.length, 'session')}, ${entry.id}`)
      const diagnosis = await diagnose(persistence, entry, lineage)
      if (diagnosis === undefined) continue
      const isDamaged = diagnosis.findings.some(({ kind }) => kind === 'damage')
      const saved = salvage && isDamaged ? await trySalvage(context, persistence, entry, as) : undefined
      if (isDamaged) damaged++
      if (typeof saved === 'number') code = saved
      else if (isDamaged && code === 0) code = 1
      report(context, diagnosis, typeof saved === 'number' ? undefined : saved, names.length > 0)
      await context.out.relieve()
    }
    context.note(`${amount(entries.length, 'session')} examined, ${damaged} damaged`)
    return code
  },
})

async function tellOfRoot(context: CommandContext): Promise<void> {
  const { root } = context
  const mayWrite = await access(root, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!mayWrite) context.note(`${root} cannot be written by this user: nothing can be stored, salvaged or removed`)
}

/** @returns the exit code of a salvage that failed */
async function trySalvage(
  context: CommandContext,
  persistence: SessionPersistence,
  { id }: SessionListing,
  as: string | undefined,
): Promise<SalvageReport | ExitCode> {
  try {
    if (as !== undefined) return await persistence.salvage(id, as)
    for (let attempt = 1; ; attempt++) {
      const target = `${id}-salvaged${attempt === 1 ? '' : `-${attempt}`}`
      try {
        return await persistence.salvage(id, target)
      } catch (error) {
        if (!isSessionError(error, 'SESSION_ALREADY_EXISTS')) throw error
      }
    }
  } catch (error) {
    return context.fail(error)
  }
}

function report(
  context: CommandContext,
  { id, events, findings }: Diagnosis,
  saved: SalvageReport | undefined,
  wasNamed: boolean,
): void {
  const { out, json } = context
  context.progress().clear()
  if (json) {
    const { header, ...rest } = saved ?? {}
    const copy = header && { id: header.id, createdAt: isoTime(header.createdAt), ...rest }
    out.json({ id, events, findings, ...(copy && { salvage: copy }) })
    return
  }
  if (findings.length === 0 && !wasNamed) return
  out.line([bold(id), dim(`  ${amount(events, 'event')}`)])
  if (findings.length === 0) out.line(['  ', green('nothing is wrong')])
  for (const { kind, words } of findings) {
    printParagraph(out, kind === 'damage' ? red('damage') : yellow('note  '), words)
  }
  if (saved !== undefined) printParagraph(out, green('saved '), describeSalvage(saved))
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
