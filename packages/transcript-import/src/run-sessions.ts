import type { SessionEvent, SessionHeader, SessionId } from '@dsh/session'
import type { ImportOptions } from './import-options.js'
import type { SessionPlan, SessionRole, TranscriptReader } from './readers/reader.js'
import type { ImportTally, SessionReport } from './report.js'
import { SessionHeaders } from './session-headers.js'
import { SessionRun } from './session-run.js'
import { type DamagedRecord, isDamaged, type SourceRecord } from './source/record.js'

/** Some events of one session. */
export interface ImportStep {
  readonly header: SessionHeader
  readonly role: SessionRole
  /** The events, contiguous with those of the session's last step; the first go on from what the session inherits. */
  readonly events: readonly SessionEvent[]
  /** The session that this one branches off, complete by then, and the last event that it inherits. */
  readonly inherits?: { readonly from: SessionId; readonly boundary: number }
  /** Whether the session is complete. */
  readonly isLast: boolean
}

/** Pieces of a file, as records. */
export type Batch = readonly (SourceRecord | DamagedRecord)[]
/** Opens the records of a file anew. */
export type OpenBatches = () => AsyncIterable<Batch> | Iterable<Batch>

/**
 * Reads the records of a file into its sessions: once for the plan, once for the sessions, once more for branches.
 * @param taken the ids of the file's sessions so far
 */
export async function* runSessions(
  reader: TranscriptReader,
  open: OpenBatches,
  tally: ImportTally,
  options: ImportOptions,
  taken: Set<string>,
): AsyncGenerator<ImportStep, SessionReport[]> {
  const plans = await survey(reader, open, options)
  const headers = new SessionHeaders(reader.format, plans, options, taken)
  const timeOf = ({ startTime }: SessionPlan) => startTime ?? options.time ?? 0
  const first = plans
    .filter(plan => plan.fork === undefined)
    .map(plan => new SessionRun(reader.format, plan, headers.of(plan), timeOf(plan)))
  const branches = plans.filter(plan => plan.fork !== undefined)
  yield* runRound(first, open, new Ledger(tally, first[0]!, branches))
  const second = branches.map(plan => {
    const from = first.find(run => run.plan.key === plan.fork!.from)!
    const boundary = from.lastShared(plan.fork!)
    const header = headers.of(plan, (boundary?.seq ?? -1) + 1)
    return new SessionRun(reader.format, plan, header, timeOf(plan), { from, boundary })
  })
  if (second.length > 0) yield* runRound(second, open, new Ledger(tally, undefined, []))
  const runs = new Map([...first, ...second].map(run => [run.plan, run]))
  return plans.map(plan => runs.get(plan)!.report())
}

async function survey(reader: TranscriptReader, open: OpenBatches, { provider, model }: ImportOptions) {
  const found = reader.survey({ provider, model })
  for await (const batch of open()) for (const record of batch) if (!isDamaged(record)) found.take(record)
  return found.plan()
}

async function* runRound(runs: readonly SessionRun[], open: OpenBatches, ledger: Ledger): AsyncGenerator<ImportStep> {
  for await (const batch of open()) {
    for (const record of batch) ledger.read(record, runs)
    for (const run of runs) {
      const events = run.drain()
      if (events.length > 0) yield stepOf(run, events, false)
    }
  }
  for (const run of runs) {
    run.finish()
    yield stepOf(run, run.drain(), true)
  }
}

/** Sees to it that each record goes somewhere and counts once. */
class Ledger {
  readonly #tally: ImportTally
  readonly #main: SessionRun | undefined
  readonly #later: readonly SessionPlan[]

  /**
   * @param main the session that gets what is damaged and what no session wants; absent on the second round
   * @param later the sessions of the second round
   */
  constructor(tally: ImportTally, main: SessionRun | undefined, later: readonly SessionPlan[]) {
    this.#tally = tally
    this.#main = main
    this.#later = later
  }

  read(record: SourceRecord | DamagedRecord, runs: readonly SessionRun[]): void {
    if (isDamaged(record)) {
      if (this.#main !== undefined) this.#tally.damage(record)
      for (const run of this.#main === undefined ? runs : [this.#main]) run.damaged(record)
      return
    }
    const readings = runs.flatMap(run => {
      const reading = run.take(record)
      // What a branch adds again has been counted with the session that it comes from.
      const isCounted = run.inheritance?.from.plan.includes(record)
      return reading === undefined ? [] : [{ ...reading, isCounted }]
    })
    const isWanted = readings.length > 0 || this.#later.some(plan => plan.includes(record))
    const reading = isWanted ? readings.find(({ isCounted }) => !isCounted) : this.#main?.keep(record)
    if (reading !== undefined) this.#tally.record(reading)
  }
}

function stepOf(
  { header, plan, inheritance }: SessionRun,
  events: readonly SessionEvent[],
  isLast: boolean,
): ImportStep {
  const { boundary, from } = inheritance ?? {}
  const inherits = boundary === undefined ? {} : { inherits: { from: from!.id, boundary: boundary.seq } }
  return { header, role: plan.role, events, ...inherits, isLast }
}
