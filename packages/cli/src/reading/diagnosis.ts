import { relative } from 'node:path'
import { providerTranscript } from '@dsh/llm'
import type { RecoveryReport, SessionListing, SessionPersistence, VerifyReport } from '@dsh/persistence'
import type { SessionEvent, SessionView } from '@dsh/session'
import { isSessionError, openTurn, SESSION_FORMAT_VERSION } from '@dsh/session'
import { coreRules, LogMonitor, RuleTable, type RuleViolation } from '@dsh/session-invariant'
import { amount, bytes, number } from '../format/number.js'
import { checkSession } from './check-session.js'
import { explainChanges } from './explain-changes.js'
import { field } from './payload.js'
import { readEvents } from './read-events.js'

/** Something about a session that somebody should know. */
export interface Finding {
  /** `damage`: something that was stored cannot be read. `note`: nothing is lost. */
  readonly kind: 'damage' | 'note'
  /** A sentence or some. */
  readonly words: string
}

/** What is wrong with a session. */
export interface Diagnosis {
  readonly id: SessionListing['id']
  readonly events: number
  readonly findings: readonly Finding[]
}

/** What the sessions of a root have to do with each other: the parent of each. */
export type Lineage = ReadonlyMap<string, string | undefined>

/** What else a diagnosis takes into account. */
export interface Surroundings {
  readonly lineage: Lineage
  /** The root; files in it are named from there. */
  readonly root: string
  readonly signal: AbortSignal
}

/** Looks at a session from all sides. @returns undefined when it is gone by now */
export async function diagnose(
  persistence: SessionPersistence,
  entry: SessionListing,
  { lineage, root, signal }: Surroundings,
): Promise<Diagnosis | undefined> {
  const report = await checkSession(persistence, entry)
  if (report === undefined) return undefined
  const { id, events, error, recovery } = report
  const findings: Finding[] = []
  const note = (words: string | undefined) => words !== undefined && findings.push({ kind: 'note', words })
  if (error !== undefined) findings.push({ kind: 'damage', words: explainDamage(error, root) })
  if (recovery !== undefined) for (const words of explainRecovery(recovery)) note(words)
  if (report.isIntact) for (const words of await examineLog(persistence, report, signal)) note(words)
  note(examineLineage(id, lineage))
  return { id, events, findings }
}

/** A damage in words: where it is, and what it costs. */
export function explainDamage(error: Error, root: string): string {
  if (isSessionError(error, 'FORMAT_UNSUPPORTED')) {
    return `It is stored as ${error.found}, and this release reads version ${SESSION_FORMAT_VERSION}. It is untouched; a release of its time can read it.`
  }
  if (!isSessionError(error)) return `It cannot be read: ${error.message}.`
  const { expected, found, file, line, byte, seq, path } = error
  const place = [
    line !== undefined && `line ${number(line)}`,
    byte !== undefined && `byte ${number(byte)}`,
    path !== undefined && path,
    seq !== undefined && `event ${number(seq)}`,
  ].filter(part => part !== false)
  const where = place.length === 0 ? '' : ` at ${place.join(', ')}`
  const inFile = file === undefined ? '' : ` of ${nameFrom(root, file)}`
  return [
    `The log is damaged${where}${inFile}: there should be ${expected}, and there is ${found}.`,
    ...explainLoss(error),
  ].join(' ')
}

function nameFrom(root: string, file: string): string {
  const name = relative(root, file)
  return name === '' || name.startsWith('..') ? file : name
}

function explainLoss({ details, seq }: { details: Readonly<Record<string, unknown>>; seq?: number }): string[] {
  const from = field(details, 'lost', 'fromSeq') ?? seq
  const to = field(details, 'lost', 'toSeq')
  const [fromByte, toByte] = [field(details, 'lost', 'fromByte'), field(details, 'lost', 'toByte')]
  const span = typeof fromByte === 'number' && typeof toByte === 'number' ? ` (${bytes(toByte - fromByte)})` : ''
  if (typeof from !== 'number') return []
  const before = from === 0 ? '' : ` The ${amount(from, 'event')} before it can be read.`
  if (typeof to !== 'number') return [`From event ${number(from)} on${span}, nothing is certain.${before}`]
  const range = to - from <= 1 ? `Event ${number(from)} is` : `Events ${number(from)} to ${number(to - 1)} are`
  return [`${range} in doubt${span}; from event ${number(to)} on the log can be read again.${before}`]
}

function explainRecovery({ cutBytes, keptEvents, notes, torn }: RecoveryReport): string[] {
  const words: string[] = []
  if (torn) {
    words.push(
      `The last ${bytes(cutBytes)} of the log are no whole record: a write is under way, or was cut off. Nothing that was acknowledged is lost, and whoever writes next cuts them off.`,
    )
  }
  if (keptEvents > 0)
    words.push(`The last ${amount(keptEvents, 'event')} had no checksum yet and were checked one by one.`)
  return [...words, ...notes.map(note => `In reading, this was skipped: ${note}.`)]
}

async function examineLog(
  persistence: SessionPersistence,
  { id }: VerifyReport,
  signal: AbortSignal,
): Promise<string[]> {
  const { view } = await persistence.load(id)
  const open = view.fold(openTurn)
  const rules = await examineRules(readEvents(persistence, id, { from: 0, to: view.seq, signal }))
  if (open === undefined) return [...rules, ...examineTranscript(view)]
  return [
    `Turn ${open.turn} has no end: somebody is at work in it, or died in it. Resuming the session closes it.`,
    ...rules,
  ]
}

async function examineRules(events: AsyncIterable<SessionEvent>): Promise<string[]> {
  const monitor = new LogMonitor(new RuleTable(coreRules()))
  let first: RuleViolation | undefined
  let count = 0
  for await (const event of events) {
    const violations = monitor.advance(event)
    first ??= violations[0]
    count += violations.length
  }
  if (first === undefined) return []
  const rest = count === 1 ? '' : `, and rules are broken in ${amount(count - 1, 'more place')}`
  return [
    `Event ${number(first.seq)} breaks the rule ${first.rule} of well-formed logs${first.path === undefined ? '' : ` at ${first.path}`}: there should be ${first.expected}, and there is ${first.found}${rest}.`,
  ]
}

function examineTranscript(view: SessionView): string[] {
  const words = explainChanges(providerTranscript(view.deriveMessages()).changes)
  return words === undefined ? [] : [words]
}

function examineLineage(id: string, lineage: Lineage): string | undefined {
  const parent = lineage.get(id)
  if (parent === undefined) return undefined
  if (!lineage.has(parent)) return `Its parent ${parent} is not stored here. What was inherited is in its own log.`
  const seen = new Set<string>()
  for (let at: string | undefined = id; at !== undefined; at = lineage.get(at)) {
    if (seen.has(at)) return `Its line of parents runs in a circle: ${[...seen, at].join(' → ')}.`
    seen.add(at)
  }
  return undefined
}
