import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { appendAll } from '../core/contestants.ts'
import { type Figures, tasks as storageTasks, type TaskInput } from '../persistence/tasks.ts'
import { conversation } from '../workload/turns.ts'
import type { SearchedBackend } from './mount.ts'

type Task = (backend: SearchedBackend, input: TaskInput) => Promise<Figures>

/** Streams events in, a few at each turn of the event loop, and measures how late that comes around. */
const delay: Task = async (backend, { id, events }) => {
  const session = backend.create(id)
  const loop = monitorEventLoopDelay({ resolution: 1 })
  let group = []
  loop.enable()
  for (const append of conversation()) {
    group.push(append)
    if (group.length < 8 && append.type !== 'turn/end') continue
    appendAll(session, group)
    group = []
    if (append.type === 'turn/end') await backend.flush(session)
    else await new Promise(setImmediate)
    if (session.seq >= events && append.type === 'turn/end') break
  }
  loop.disable()
  return { p50: loop.percentile(50) / 1e6, p99: loop.percentile(99) / 1e6, max: loop.max / 1e6 }
}

/** As the task of the same name, with the share of a flush in which nothing else can run, in milliseconds. */
const smallFlush: Task = async (backend, input) => {
  const before = performance.eventLoopUtilization()
  const figures = await storageTasks.smallFlush!(backend, input)
  return { ...figures, busy: performance.eventLoopUtilization(before).active / input.events }
}

/** The first write of a process, and that of a second session. */
const firstWrites: Task = async (backend, { id, events }) => {
  const { time: first } = await storageTasks.firstWrite!(backend, { id, events })
  const { time: again } = await storageTasks.firstWrite!(backend, { id: `${id}-again`, events })
  return { first: first!, again: again! }
}

/** Finds the texts that hold a common word, and those that hold none. */
const search: Task = async backend => {
  const start = performance.now()
  const common = await backend.search!('session error')
  const middle = performance.now()
  await backend.search!('absent')
  return { common: middle - start, absent: performance.now() - middle, hits: common }
}

export const tasks: Record<string, Task> = { ...storageTasks, smallFlush, firstWrites, delay, search }
