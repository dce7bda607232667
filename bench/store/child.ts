import { appendAll } from '../core/contestants.ts'
import { type Append, turnsOf } from '../workload/turns.ts'
import { ours, peer, type Setup } from './applications.ts'

declare const gc: () => void

/** What one process measures. */
export interface Figure {
  /** Processor time of one append, in nanoseconds. */
  readonly nanoseconds: number
  /** Memory that is held at the end of a burst without a pause, in bytes for each event. */
  readonly retained: number
}

const [who, setup] = process.argv.slice(2) as ['ours' | 'peer', Setup]
const create = await (who === 'ours' ? ours(setup) : peer(setup))
const stream = turnsOf(20_000)

/** The least time of the thread itself, so that other work on the machine does not count. */
function leastCpuTime(runs: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const session = create()
    gc()
    const start = process.threadCpuUsage()
    appendAll(session, stream)
    const { user, system } = process.threadCpuUsage(start)
    least = Math.min(least, user + system)
  }
  return least
}

const microseconds = leastCpuTime(15)

const burst: Append[] = [
  { type: 'turn/start', data: { turn: 1, trigger: { kind: 'retry' } } },
  { type: 'step/start', data: { turn: 1, step: 1 } },
  ...Array.from({ length: 100_000 }, (_, index) => ({
    type: 'assistant/chunk',
    data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: `piece ${index}` } },
  })),
]
const session = create()
gc()
const before = process.memoryUsage().heapUsed
appendAll(session, burst)
gc()
const retained = process.memoryUsage().heapUsed - before

const figure: Figure = {
  nanoseconds: (microseconds * 1000) / stream.length,
  retained: retained / session.seq,
}
console.log(JSON.stringify(figure))
process.exit()
