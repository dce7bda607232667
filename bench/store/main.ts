import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { hasPeer, type Setup, setups } from './applications.ts'
import type { Figure } from './child.ts'

const child = fileURLToPath(new URL('./child.ts', import.meta.url))

/** Runs in a process of its own, so that neither heap nor compiled code of one setup weighs on another. */
function measure(who: 'ours' | 'peer', setup: Setup): Figure {
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', child, who, setup], { encoding: 'utf8' }))
}

const withPeer = await hasPeer()
const { platform, arch, version } = process
console.log(`Node ${version}, ${platform} ${arch}${withPeer ? '' : '; peer not installed'}`)
console.log('\n### Append to a session of a store\n')
console.log('| setup | ours | ÷ detached | held in a burst | peer | peer ÷ ours | held in a burst |')
console.log('|---|---:|---:|---:|---:|---:|---:|')

const detached = { ours: measure('ours', 'detached'), peer: withPeer ? measure('peer', 'detached') : undefined }
for (const setup of setups) {
  const ours = setup === 'detached' ? detached.ours : measure('ours', setup)
  const peer = withPeer ? (setup === 'detached' ? detached.peer : measure('peer', setup)) : undefined
  const cells = [
    setup,
    micros(ours.nanoseconds),
    times(ours.nanoseconds / detached.ours.nanoseconds),
    held(ours, detached.ours),
    peer && micros(peer.nanoseconds),
    peer && times(peer.nanoseconds / ours.nanoseconds),
    peer && held(peer, detached.peer),
  ]
  console.log(`| ${cells.map(cell => cell ?? '–').join(' | ')} |`)
}
console.log(
  '\nHeld in a burst: bytes for each event at the end of 100,000 appends without a pause, beyond the detached log.',
)

function micros(nanoseconds: number): string {
  return `${(nanoseconds / 1000).toFixed(2)} µs`
}

function times(ratio: number): string {
  return `${ratio.toFixed(1)}×`
}

function held(figure: Figure, base: Figure | undefined): string {
  return `${Math.max(0, Math.round(figure.retained - (base?.retained ?? 0)))} B`
}
