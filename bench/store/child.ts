import { appendAll } from '../core/contestants.ts'
import { best } from '../measure.ts'
import { type Append, turnsOf } from '../workload/turns.ts'
import { ours, peer, type Setup } from './applications.ts'

declare const gc: () => void

/** What one process measures. */
export interface Figure {
  /** Time of one append, in nanoseconds. */
  readonly nanoseconds: number
  /** Memory that is held at the end of a burst without a pause, in bytes for each event. */
  readonly retained: number
}

const [who, setup] = process.argv.slice(2) as ['ours' | 'peer', Setup]
const create = await (who === 'ours' ? ours(setup) : peer(setup))
const stream = turnsOf(20_000)
const milliseconds = best(create, session => appendAll(session, stream), 25)

const burst: Append[] = Array.from({ length: 100_000 }, (_, index) => ({
  type: 'todo/write',
  data: { todos: [{ content: `entry ${index}`, status: 'pending' }] },
}))
const session = create()
gc()
const before = process.memoryUsage().heapUsed
appendAll(session, burst)
gc()
const retained = process.memoryUsage().heapUsed - before

const figure: Figure = {
  nanoseconds: (milliseconds * 1e6) / stream.length,
  retained: retained / session.seq,
}
console.log(JSON.stringify(figure))
process.exit()
