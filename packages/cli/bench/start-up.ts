/**
 * Measures how long the built command takes from its start to its end, on a root of 1,000 sessions: the least of many runs,
 * since whatever else the machine does only adds. `node bench/start-up.ts [runs]`, after a build.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JsonlDriver } from '@dsh/persistence-jsonl'
import { encodeRows, type SessionEvent, type SessionId } from '@dsh/session'

const SESSIONS = 1_000

const runs = Number(process.argv[2] ?? 20)
const root = mkdtempSync(join(tmpdir(), 'dsh-start-up-'))
const bin = join(import.meta.dirname, '..', 'dist', 'bin.js')
try {
  await fill()
  const floor = measure(['-e', '0'])
  console.log('| command | milliseconds | of which Node |')
  console.log('|---|---:|---:|')
  for (const words of [['--version'], ['ls', '--ids'], ['ls'], ['ls', '--all'], ['show', '@latest']]) {
    console.log(`| ${words.join(' ')} | ${measure([bin, '--quiet', '--root', root, ...words])} | ${floor} |`)
  }
} finally {
  rmSync(root, { recursive: true })
}

function measure(words: readonly string[]): string {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`)
    least = Math.min(least, performance.now() - start)
  }
  return least.toFixed(0)
}

async function fill(): Promise<void> {
  const driver = new JsonlDriver({ root, durability: 'none' })
  for (let index = 0; index < SESSIONS; index++) {
    const createdAt = 1_760_000_000_000 + index * 1_000
    const id = `session-${String(index).padStart(4, '0')}` as SessionId
    const records = encodeRows(turn(createdAt, index)).map(row => ({ ...row, version: 1 }))
    await (await driver.create({ version: 1, id, createdAt, cwd: '/srv/app' }, records)).close()
  }
  await driver.close()
}

function turn(time: number, index: number): SessionEvent[] {
  const text = (text: string) => [{ type: 'text', text }]
  const source = { kind: 'model', provider: 'acme', model: 'large-1' }
  const step = { turn: 1, step: 1 }
  const parts: [type: string, data: unknown][] = [
    ['turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } }],
    ['user/message', { id: 'u', role: 'user', source: { kind: 'user' }, content: text(`Question ${index}`) }],
    ['step/start', step],
    [
      'assistant/message',
      { ...step, message: { id: 'a', role: 'assistant', source, content: text('x'.repeat(2_000)) } },
    ],
    ['step/end', step],
    ['turn/end', { turn: 1, reason: { kind: 'completed' } }],
  ]
  return parts.map(
    ([type, data], seq) =>
      ({ type, seq, time: time + seq, ...(type.endsWith('message') && { surfaceOp: 'append' }), data }) as SessionEvent,
  )
}
