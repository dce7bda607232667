import { monitorEventLoopDelay } from 'node:perf_hooks'
import { appendAll } from '../core/contestants.ts'
import { type Append, turnsOf } from '../workload/turns.ts'
import type { MountedBackend } from './backends.ts'

/** What a task is told beside the backend. */
export interface TaskInput {
  readonly id: string
  readonly events: number
  /** Flush after so many events; a whole turn where absent. */
  readonly flushEvery?: number
}

/** What a task measured: times in milliseconds, memory in megabytes. */
export type Figures = Record<string, number>

export type Task = (backend: MountedBackend, input: TaskInput) => Promise<Figures>

/** Appends a stream and flushes as it goes, once a smaller one has warmed the process up. */
export const stream: Task = async (backend, { id, events, flushEvery }) => {
  const warmUp = backend.create(`${id}-warm-up`)
  for (const batch of split(turnsOf(8_000), flushEvery)) {
    appendAll(warmUp, batch)
    await backend.flush(warmUp)
  }
  const batches = [...split(turnsOf(events), flushEvery)]
  const session = backend.create(id)
  const start = performance.now()
  for (const batch of batches) {
    appendAll(session, batch)
    await backend.flush(session)
  }
  return { time: performance.now() - start, flushes: batches.length, events: session.seq }
}

/** Flushes one small event at a time. */
export const smallFlush: Task = async (backend, { id, events }) => {
  const session = backend.create(id)
  const times: number[] = []
  for (let index = 0; index < events; index++) {
    session.append('todo/write', { todos: [{ content: `item ${index}`, status: 'pending' }] })
    const start = performance.now()
    await backend.flush(session)
    times.push(performance.now() - start)
  }
  return percentiles(times)
}

/** Brings a stored session back, with the longest time in which nothing else could run. */
export const resume: Task = async (backend, { id }) => {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  await new Promise(resolve => setTimeout(resolve, 20))
  loop.reset()
  // The first turn after a reset is not recorded.
  await new Promise(resolve => setTimeout(resolve, 5))
  const start = performance.now()
  const session = await backend.resume(id)
  const time = performance.now() - start
  await new Promise(resolve => setTimeout(resolve, 5))
  const block = loop.max / 1e6
  const megabytes = process.resourceUsage().maxRSS / 1024
  const derive = performance.now()
  session.deriveMessages()
  return { time, block, megabytes, derive: performance.now() - derive, events: session.seq }
}

/** Reads the last events of a long log. */
export const readNearEnd: Task = async (backend, { id, events }) => {
  await backend.readFrom(id, events - 10)
  const start = performance.now()
  const count = await backend.readFrom(id, events - 100)
  return { time: performance.now() - start, count }
}

/** Lists a root, the first time in a process and again. */
export const list: Task = async backend => {
  const start = performance.now()
  const count = await backend.list()
  const first = performance.now() - start
  const again = performance.now()
  await backend.list()
  return { first, warm: performance.now() - again, count }
}

/** Makes many small sessions. */
export const fill: Task = async (backend, { id, events }) => {
  const appends = turnsOf(1).slice(0, 2)
  for (let index = 0; index < events; index++) {
    const session = backend.create(`${id}-${index}`)
    appendAll(session, appends)
    await backend.flush(session)
  }
  return { count: events }
}

/** The first write of a session in the root as it is. */
export const firstWrite: Task = async (backend, { id }) => {
  const session = backend.create(id)
  appendAll(session, turnsOf(1).slice(0, 2))
  const start = performance.now()
  await backend.flush(session)
  return { time: performance.now() - start }
}

/** Forks a stored session into another stored one. */
export const fork: Task = async (backend, { id }) => {
  const start = performance.now()
  await backend.fork(id, `${id}-child`)
  return { time: performance.now() - start }
}

export const tasks: Record<string, Task> = { stream, smallFlush, resume, readNearEnd, list, fill, firstWrite, fork }

function* split(appends: readonly Append[], every: number | undefined): Generator<Append[]> {
  let batch: Append[] = []
  for (const append of appends) {
    batch.push(append)
    if (every === undefined ? append.type === 'turn/end' : batch.length === every) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** The median and the 99th percentile. */
export function percentiles(times: readonly number[]): Figures {
  const sorted = [...times].sort((a, b) => a - b)
  return { p50: sorted[Math.floor(sorted.length / 2)]!, p99: sorted[Math.floor(sorted.length * 0.99)]! }
}
