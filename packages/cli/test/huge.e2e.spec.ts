import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { SessionEvent, SessionId } from '@dsh/session'
import { encodeRows } from '@dsh/session'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { START } from './support/log-builder.js'
import { bin, start } from './support/processes.js'
import { TestRoot } from './support/root.js'
import { run } from './support/run.js'

/** Megabytes of the log; with DSH_FULL=1 more than a string of V8 could hold. */
const MEGABYTES = process.env.DSH_FULL === '1' ? 600 : 24
const EVENTS = MEGABYTES * 10
/** Megabytes of heap that a process may use. */
const HEAP = 36

const id = 'huge' as SessionId
const text = 'All work and no play. '.repeat(4_600)
const event = (seq: number) =>
  ({ type: 'plugin/note', seq, time: START + seq, data: { seq, text } }) as unknown as SessionEvent

let root: TestRoot

beforeAll(async () => {
  root = new TestRoot(mkdtempSync(join(tmpdir(), 'dsh-cli-')))
  await root.use(async driver => {
    const handle = await driver.create({ version: 1, id, createdAt: START }, [])
    while (handle.nextSeq < EVENTS) {
      const events = Array.from({ length: 20 }, (_, index) => event(handle.nextSeq + index))
      await handle.append(
        handle.nextSeq,
        encodeRows(events).map(row => ({ ...row, version: 1 })),
      )
    }
    await handle.close()
  })
}, 120_000)

afterAll(() => rmSync(root.path, { recursive: true, force: true }))

function small(words: readonly string[]) {
  return start([`--max-old-space-size=${HEAP}`, bin, ...words], {
    env: { DSH_SESSION_ROOT: root.path },
    cwd: root.path,
  })
}

describe(`a log of ${MEGABYTES} MB, in a heap of ${HEAP} MB`, () => {
  it('is printed, event by event', async () => {
    const printing = small(['events', id, '--json'])
    let length = 0
    let lines = 0
    printing.process.stdout.removeAllListeners('data').on('data', chunk => {
      length += chunk.length
      for (const byte of chunk) if (byte === 0x0a) lines++
    })
    const { code, stderr } = await printing.ended
    expect({ code, stderr, lines }).toEqual({ code: 0, stderr: '', lines: EVENTS })
    expect(length).toBeGreaterThan(EVENTS * text.length)
  }, 300_000)

  it('is listed, found out about, and read near its end', async () => {
    const seqs = async (words: string[]) => {
      const { code, stdout } = await small([...words, '--json']).ended
      expect(code).toBe(0)
      return stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).seq)
    }
    const [last, near, listed] = await Promise.all([
      seqs(['tail', id, '-n', '2']),
      seqs(['events', id, '--from', `${EVENTS - 3}`, '-n', '1']),
      small(['ls']).ended,
    ])
    expect(last).toEqual([EVENTS - 2, EVENTS - 1])
    expect(near).toEqual([EVENTS - 3])
    expect(listed.stdout).toContain('huge')
  }, 60_000)

  it('goes out and comes in again', async () => {
    const file = join(root.path, 'out.jsonl')
    const out = createWriteStream(file)
    out.write(`${JSON.stringify({ type: 'session', version: 1, id: 'again', createdAt: START })}\n`)
    for (let seq = 0; seq < EVENTS; seq++) if (!out.write(`${JSON.stringify(event(seq))}\n`)) await once(out, 'drain')
    await finished(out.end())
    const { code, stderr } = await small(['import', file, '--as', 'again', '-q']).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { stdout } = await run('tail again -n 1 --json', { root: root.path })
    expect(JSON.parse(stdout)).toMatchObject({ type: 'plugin/note', seq: EVENTS - 1 })
    rmSync(dirname(root.log('again')), { recursive: true })
    rmSync(file)
  }, 300_000)
})
