/**
 * `node backends/main.ts [--quick] [--only=parts]`: the two backends and the SQLite backend of the peer, each task in a
 * process of its own. The peer's needs `npx -y pnpm@12 install` in `backends/peer`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printMarkdown } from '../persistence/table.ts'
import { type Figures, percentiles } from '../persistence/tasks.ts'
import { type Contestant, installed, type Mountable, placeOf } from './mount.ts'

const quick = process.argv.includes('--quick')
const million = quick ? 100_000 : 1_000_000
const crowd = quick ? 1000 : 10_000
const base = mkdtempSync(join(process.env.DSH_BENCH_DIR ?? tmpdir(), 'dsh-bench-'))
const child = fileURLToPath(new URL('./child.ts', import.meta.url))

type Row = (string | number)[]

function run(name: Mountable, place: string, task: string, input: object = {}): Figures {
  const root = join(base, `${name}-${place}`)
  const args = ['--max-old-space-size=12288', child, name, root, task, JSON.stringify({ id: 's', events: 0, ...input })]
  const output = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    encoding: 'utf8',
  })
  return JSON.parse(output)
}

/** The medians of some runs, each in a process of its own: one run of a few milliseconds says little. */
function runs(name: Contestant, place: string, task: string, id = 's'): Figures {
  const all = Array.from({ length: 7 }, (_, round) => run(name, place, task, { id: `${id}-${round}` }))
  return Object.fromEntries(Object.keys(all[0]!).map(key => [key, percentiles(all.map(each => each[key]!)).p50!]))
}

/** A row of one figure for each backend, and what the peer takes for ours. */
function row(label: string, figure: (name: Contestant) => number): Row {
  const figures = installed.map(figure)
  const [, ours, peer] = figures
  return [label, ...figures, peer === undefined ? '' : peer / ours!]
}

const heads = (first: string) => [first, ...installed, ...(installed.length > 2 ? ['peer ÷ sqlite'] : [''])]

function streaming(): void {
  const events = quick ? 20_000 : 100_000
  const rows: Row[] = []
  for (const [label, flushEvery] of [
    ['a flush for each turn', undefined],
    ['a flush every 8 events', 8],
  ] as const) {
    const place = `stream-${flushEvery ?? 'turn'}`
    rows.push(
      row(label, name => {
        const { time, events: count } = run(name, place, 'stream', { events, flushEvery })
        return (time! / count!) * 1000
      }),
    )
    rows.push(row(`${label}: bytes per event`, name => size(name, place) / events))
  }
  printMarkdown('Streaming, µs per event', heads('workload'), rows)
}

function smallFlushes(): void {
  const figures = new Map(
    installed.map(name => [name, run(name, 'small', 'smallFlush', { events: quick ? 300 : 2000 })]),
  )
  const labels = { p50: 'p50', p99: 'p99', busy: 'of it the event loop is busy, mean' }
  const rows = Object.entries(labels).map(([key, label]) => row(label, name => figures.get(name)![key]! * 1000))
  printMarkdown('A flush of one event, µs', heads(''), rows)
}

function delays(): void {
  const names = ['none', ...installed] as const
  const figures = names.map(name => run(name, 'delay', 'delay', { events: million }))
  const rows = ['p50', 'p99', 'max'].map(key => [key, ...figures.map(each => each[key]!)])
  const title = `Event-loop delay while ${million.toLocaleString('en')} events stream in, ms`
  printMarkdown(title, ['', 'no backend', ...installed], rows)
}

function resumes(): void {
  const rows: Row[] = []
  for (const events of quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]) {
    for (const flushEvery of [undefined, 8]) {
      if (flushEvery !== undefined && events === 1_000_000) continue
      const place = `resume-${events}-${flushEvery ?? 'turn'}`
      const label = `${events.toLocaleString('en')} events, flushed ${flushEvery === undefined ? 'per turn' : 'every 8'}`
      const figures = new Map(
        installed.map(name => {
          run(name, place, 'stream', { events, flushEvery })
          return [name, run(name, place, 'resume')]
        }),
      )
      for (const [key, unit] of Object.entries({ time: 'ms', block: 'longest block, ms', megabytes: 'peak RSS, MB' })) {
        rows.push(row(`${label}: ${unit}`, name => figures.get(name)![key]!))
      }
    }
  }
  const place = `resume-${million}-turn`
  rows.push(row('readFrom 100 before the end, ms', name => run(name, place, 'readNearEnd', { events: million }).time!))
  rows.push(row('stored fork, ms', name => run(name, place, 'fork').time!))
  printMarkdown('Resume', heads('log'), rows)
}

function crowds(): void {
  const rows: Row[] = []
  const place = `crowd-${crowd}`
  for (const name of installed) {
    // A session that is live keeps its files open, and a process may have so many.
    for (let part = 0; part < crowd; part += 1000) run(name, place, 'fill', { id: `many-${part}`, events: 1000 })
  }
  const lists = new Map(installed.map(name => [name, runs(name, place, 'list')]))
  for (const key of ['first', 'warm']) rows.push(row(`list ${crowd}, ${key}`, name => lists.get(name)![key]!))
  const writes = new Map(installed.map(name => [name, runs(name, place, 'firstWrites', 'late')]))
  rows.push(row(`first write beside ${crowd}`, name => writes.get(name)!.first!))
  rows.push(row('that of a second session', name => writes.get(name)!.again!))
  printMarkdown('Many sessions, ms', heads('workload'), rows)
}

function searches(): void {
  run('sqlite', 'search', 'stream', { events: million })
  const { common, absent, hits } = run('sqlite', 'search', 'search')
  printMarkdown(
    `Search in ${million.toLocaleString('en')} events, ms`,
    ['query', 'sqlite'],
    [
      [`two words, ${hits} hits`, common!],
      ['no hit', absent!],
    ],
  )
}

function size(name: Contestant, place: string): number {
  const path = placeOf(name, join(base, `${name}-${place}`))
  if (name !== 'jsonl') return statSync(path).size
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

console.log(`Node ${process.version}, SQLite ${process.versions.sqlite}, ${process.platform} ${process.arch}`)
try {
  const only = process.argv.find(argument => argument.startsWith('--only='))?.slice(7)
  const parts = { streaming, smallFlushes, delays, resumes, crowds, searches }
  for (const [name, part] of Object.entries(parts)) if (only === undefined || only.split(',').includes(name)) part()
} finally {
  rmSync(base, { recursive: true, force: true })
}
