import { closeSync, fdatasyncSync, openSync, readdirSync, readFileSync, readSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figures, percentiles } from './tasks.ts'

/** Writes `bytes` through one open file in `flushes` parts and syncs each. */
export function writeAndSync(file: string, bytes: number, flushes: number): Figures {
  const part = Buffer.alloc(Math.ceil(bytes / flushes), 'x')
  const descriptor = openSync(file, 'w')
  const times: number[] = []
  const start = performance.now()
  for (let flush = 0; flush < flushes; flush++) {
    const begin = performance.now()
    writeSync(descriptor, part)
    fdatasyncSync(descriptor)
    times.push(performance.now() - begin)
  }
  const time = performance.now() - start
  closeSync(descriptor)
  return { time, ...percentiles(times) }
}

/** As {@link writeAndSync}, but the event loop is free meanwhile: each flush takes two trips through the thread pool. */
export async function writeAndSyncInPool(file: string, bytes: number, flushes: number): Promise<Figures> {
  const part = Buffer.alloc(Math.ceil(bytes / flushes), 'x')
  const handle = await open(file, 'w')
  const times: number[] = []
  const start = performance.now()
  for (let flush = 0; flush < flushes; flush++) {
    const begin = performance.now()
    await handle.write(part)
    await handle.datasync()
    times.push(performance.now() - begin)
  }
  const time = performance.now() - start
  await handle.close()
  return { time, ...percentiles(times) }
}

/** Parses every line of a log. */
export function parseLines(file: string): Figures {
  const bytes = readFileSync(file)
  const start = performance.now()
  let count = 0
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    if (JSON.parse(bytes.toString('utf8', from, end)) !== undefined) count++
    from = end + 1
  }
  return { time: performance.now() - start, count }
}

/** Reads the first line of every session in a root. */
export function readFirstLines(root: string): Figures {
  const start = performance.now()
  const buffer = Buffer.alloc(512)
  let count = 0
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue
    const descriptor = openSync(join(root, entry.name, 'log-0.jsonl'), 'r')
    const length = readSync(descriptor, buffer, 0, buffer.length, 0)
    if (JSON.parse(buffer.toString('utf8', 0, buffer.indexOf(10))) !== undefined && length > 0) count++
    closeSync(descriptor)
  }
  return { time: performance.now() - start, count }
}
