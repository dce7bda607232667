import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Figure {
  readonly milliseconds: number
  readonly megabytes: number
}

const child = fileURLToPath(new URL('./restore-child.ts', import.meta.url))

/** Runs in a process of its own, so that one contestant's heap does not weigh on another's. */
function run(what: string, file: string): string {
  const args = ['--expose-gc', '--max-old-space-size=8192', child, what, file]
  return execFileSync(process.execPath, args, { encoding: 'utf8' })
}

/** Prints what it takes to build a session of a million events from its stored lines. */
export function printRestore(withPeer: boolean): void {
  const directory = mkdtempSync(join(tmpdir(), 'dsh-bench-'))
  try {
    const [packed, plain] = [join(directory, 'packed'), join(directory, 'plain')]
    run('write-packed', packed)
    run('write-plain', plain)
    const measure = (what: string, file: string): Figure => JSON.parse(run(what, file))
    const ours = measure('ours', packed)
    const peer = withPeer ? measure('peer', plain) : undefined
    console.log('\n### Restore of 1 M events\n')
    console.log('| from lines in memory | time | memory, lines included |\n|---|---:|---:|')
    print('floor: `JSON.parse` of the packed lines', measure('floor', packed))
    print('ours: `describeRow` and `Session.restore`', ours)
    print('ours, and `deriveMessages`', measure('ours+derive', packed))
    if (peer === undefined) return
    print('peer: construction from events that were parsed before the clock started', peer)
    const [time, memory] = [peer.milliseconds / ours.milliseconds, ours.megabytes / peer.megabytes]
    console.log(`\nOurs: ${time.toFixed(0)}× faster than the peer, ${memory.toFixed(2)}× its memory.`)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function print(name: string, { milliseconds, megabytes }: Figure): void {
  console.log(`| ${name} | ${milliseconds.toFixed(0)} ms | ${megabytes.toFixed(0)} MB |`)
}
