/** `node persistence/main.ts [--quick]`: ours, the peer raw and zstd, and the floors, each task in a process of its own. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BackendName, backendNames } from './backends.ts'
import { parseLines, readFirstLines, writeAndSync, writeAndSyncInPool } from './floors.ts'
import { printMarkdown } from './table.ts'
import type { Figures } from './tasks.ts'

const quick = process.argv.includes('--quick')
const million = quick ? 100_000 : 1_000_000
const crowd = quick ? 1000 : 10_000
const base = mkdtempSync(join(process.env.DSH_BENCH_DIR ?? tmpdir(), 'dsh-bench-'))
const child = fileURLToPath(new URL('./child.ts', import.meta.url))
const names = existsSync(new URL('../node_modules/@deepseek-ai/dsh-session', import.meta.url))
  ? backendNames
  : (['ours'] as const)

function run(name: BackendName, place: string, task: string, input: object): Figures {
  const root = join(base, `${name}-${place}`)
  const args = ['--max-old-space-size=12288', child, name, root, task, JSON.stringify({ id: 's', events: 0, ...input })]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

function each(task: (name: BackendName) => Figures): Record<BackendName, Figures> {
  return Object.fromEntries(names.map(name => [name, task(name)])) as Record<BackendName, Figures>
}

/** Of a write and a sync: on the main thread, and with the event loop left free. */
const floors = ['floor', 'floor, async']

/** The log file of the one session below a place. */
function logFile(name: BackendName, place: string): string {
  const root = join(base, `${name}-${place}`)
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => /\.jsonl/.test(entry.name))
  const largest = found
    .map(entry => join(entry.parentPath, entry.name))
    .sort((a, b) => statSync(b).size - statSync(a).size)[0]
  if (largest === undefined) throw new Error(`no log below ${root}`)
  return largest
}

async function streaming(): Promise<void> {
  const rows: (string | number)[][] = []
  for (const [label, flushEvery] of [
    ['a flush for each turn', undefined],
    ['a flush every 8 events', 8],
  ] as const) {
    const place = `stream-${flushEvery ?? 'turn'}`
    const events = quick ? 20_000 : 100_000
    const figures = each(name => run(name, place, 'stream', { events, flushEvery }))
    const bytes = statSync(logFile('ours', place)).size
    const floor = writeAndSync(join(base, 'floor'), bytes, figures.ours.flushes!)
    const free = await writeAndSyncInPool(join(base, 'floor'), bytes, figures.ours.flushes!)
    const perEvent = (figure: Figures) => (figure.time! / figures.ours.events!) * 1000
    rows.push([
      label,
      perEvent(floor),
      perEvent(free),
      ...names.map(name => perEvent(figures[name])),
      perEvent(figures.ours) / perEvent(floor),
    ])
    const sizes = names.map(name => statSync(logFile(name, place)).size / figures.ours.events!)
    rows.push([`${label}: bytes per event`, '', '', ...sizes, ''])
  }
  printMarkdown('Streaming, µs per event', ['workload', ...floors, ...names, 'ours ÷ floor'], rows)
}

async function smallFlushes(): Promise<void> {
  const count = quick ? 300 : 2000
  const figures = each(name => run(name, 'small', 'smallFlush', { events: count }))
  const bytes = statSync(logFile('ours', 'small')).size
  const floor = writeAndSync(join(base, 'floor'), bytes, count)
  const free = await writeAndSyncInPool(join(base, 'floor'), bytes, count)
  const rows = ['p50', 'p99'].map(key => [
    key,
    floor[key]! * 1000,
    free[key]! * 1000,
    ...names.map(name => figures[name][key]! * 1000),
    figures.ours[key]! / floor[key]!,
  ])
  printMarkdown('A flush of one event, µs', ['', ...floors, ...names, 'ours ÷ floor'], rows)
}

function resumes(): void {
  const rows: (string | number)[][] = []
  const add = (label: string, name: BackendName, figure: Figures) =>
    rows.push([label, name, figure.time!, figure.derive!, figure.block!, figure.megabytes!])
  for (const events of quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]) {
    for (const flushEvery of [undefined, 8]) {
      const place = `resume-${events}-${flushEvery ?? 'turn'}`
      const label = `${events.toLocaleString('en')} events, ${flushEvery === undefined ? 'flushed per turn' : 'flushed every 8'}`
      for (const name of names) {
        run(name, place, 'stream', { events, flushEvery })
        add(label, name, run(name, place, 'resume', {}))
      }
      rows.push([label, 'floor', parseLines(logFile('ours', place)).time!, '', '', ''])
    }
  }
  const place = `resume-${million}-turn`
  for (const name of names) {
    const file = logFile(name, place)
    if (name !== 'peer-zstd') truncateSync(file, statSync(file).size - 20)
    add('the largest, its tail cut', name, run(name, place, 'resume', {}))
  }
  printMarkdown('Resume, ms', ['log', 'backend', 'resume', 'then derive', 'longest block', 'peak RSS, MB'], rows)
}

function seeks(): void {
  const place = `resume-${million}-8`
  const reads = each(name => run(name, place, 'readNearEnd', { events: million }))
  const forks = each(name => run(name, place, 'fork', {}))
  printMarkdown(
    `On ${million.toLocaleString('en')} events, ms`,
    ['workload', ...names],
    [
      ['readFrom 100 before the end', ...names.map(name => reads[name].time!)],
      ['stored fork', ...names.map(name => forks[name].time!)],
    ],
  )
}

/** Fills many small roots and merges them: the peer's first write takes as long as the root has sessions. */
function fillCrowd(name: BackendName, place: string, count: number): void {
  for (let part = 0; part < count / PART; part++) {
    run(name, `${place}-part`, 'fill', { id: `many-${part}`, events: PART })
    mergeTree(join(base, `${name}-${place}-part`), join(base, `${name}-${place}`))
  }
}

const PART = 100

function mergeTree(from: string, to: string): void {
  if (!existsSync(to)) renameSync(from, to)
  else for (const entry of readdirSync(from)) mergeTree(join(from, entry), join(to, entry))
  rmSync(from, { recursive: true, force: true })
}

function crowds(): void {
  const rows: (string | number)[][] = []
  for (const count of quick ? [crowd] : [1000, crowd]) {
    const place = `crowd-${count}`
    for (const name of names) fillCrowd(name, place, count)
    // Once for the caches of the system, so that all find them alike.
    each(name => run(name, place, 'list', {}))
    const lists = each(name => run(name, place, 'list', {}))
    const first = each(name => run(name, place, 'firstWrite', { id: 'late' }))
    const floor = readFirstLines(join(base, `ours-${place}`)).time!
    rows.push([`list ${count}, first`, floor, ...names.map(name => lists[name].first!), lists.ours.first! / floor])
    rows.push([`list ${count}, again`, floor, ...names.map(name => lists[name].warm!), lists.ours.warm! / floor])
    rows.push([`first write beside ${count}`, '', ...names.map(name => first[name].time!), ''])
  }
  printMarkdown('Many sessions, ms', ['workload', 'floor', ...names, 'ours ÷ floor'], rows)
}

console.log(`Node ${process.version}, ${process.platform} ${process.arch}`)
try {
  const only = process.argv.find(argument => argument.startsWith('--only='))?.slice(7)
  const parts = { streaming, smallFlushes, resumes, seeks, crowds }
  for (const [name, part] of Object.entries(parts))
    if (only === undefined || only.split(',').includes(name)) await part()
} finally {
  rmSync(base, { recursive: true, force: true })
}
