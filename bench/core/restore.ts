import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Time in milliseconds and resident megabytes that one way of building a session of 1 M events took. */
export interface RestoreFigure {
  readonly milliseconds: number
  readonly megabytes: number
}

const child = fileURLToPath(new URL('./restore-child.ts', import.meta.url))

/** Measures in a process of its own, so that one contestant's heap does not weigh on another's. */
export function measureRestore(contestant: 'ours' | 'ours+derive' | 'peer' | 'floor'): RestoreFigure | undefined {
  try {
    const args = ['--expose-gc', '--max-old-space-size=8192', child, contestant]
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  } catch {
    return undefined
  }
}

/** Prints the table of all contestants. */
export function printRestore(): void {
  const floor = measureRestore('floor')
  const ours = measureRestore('ours')
  const derived = measureRestore('ours+derive')
  const peer = measureRestore('peer')
  console.log('\n### Restore of 1 M events (packed rows; the peer from the same events)\n')
  console.log('| way | time | memory beside the input |\n|---|---:|---:|')
  const print = (name: string, figure: RestoreFigure | undefined) =>
    console.log(
      figure === undefined
        ? `| ${name} | – | – |`
        : `| ${name} | ${figure.milliseconds.toFixed(1)} ms | ${figure.megabytes.toFixed(0)} MB |`,
    )
  print('floor: `JSON.parse` of the packed lines', floor)
  print('ours: `Session.restore`', ours)
  print('ours: `Session.restore` and `deriveMessages`', derived)
  print('peer: `new Session(id, events)`, events included', peer)
  if (ours === undefined || peer === undefined) return
  console.log(`\npeer ÷ ours: ${(peer.milliseconds / ours.milliseconds).toFixed(1)}× the time`)
}
