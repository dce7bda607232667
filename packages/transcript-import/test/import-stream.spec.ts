import type { SessionEvent } from '@dsh/session'
import { type ImportStep, importTranscript, streamTranscript } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { busy } from './support/busy.js'
import { samples } from './support/samples.js'

async function steps(text: string, size: number): Promise<{ steps: ImportStep[]; report: unknown }> {
  const bytes = new TextEncoder().encode(text)
  const chunks = function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const stream = streamTranscript(chunks)
  const taken: ImportStep[] = []
  let step = await stream.next()
  for (; step.done !== true; step = await stream.next()) taken.push(step.value)
  return { steps: taken, report: step.value }
}

describe('streamTranscript', () => {
  it('gives the events of importTranscript, in contiguous steps', async () => {
    for (const text of [...Object.values(samples), ...Object.values(busy)]) {
      const whole = await importTranscript(text, { sessionId: ({ key }) => key })
      const logs = new Map<string, SessionEvent[]>()
      const { steps: taken } = await steps(text, 50)
      for (const { header, events, inherits } of taken) {
        const log = logs.get(header.id) ?? (inherits ? logs.get(inherits.from)!.slice(0, inherits.boundary + 1) : [])
        for (const event of events) expect(event.seq).toBe(log.push(event) - 1)
        logs.set(header.id, log)
      }
      expect([...logs.values()].map(log => log.length).sort()).toEqual(whole.sessions.map(({ seq }) => seq).sort())
    }
  })

  it('ends each session once, and begins a branch behind the session that it branches off', async () => {
    const { steps: taken } = await steps(busy['claude-code']!, 100)
    const ids = [...new Set(taken.map(({ header }) => header.id))]
    expect(ids.map(id => taken.filter(({ header, isLast }) => header.id === id && isLast).length)).toEqual(
      ids.map(() => 1),
    )
    const branch = taken.findIndex(({ inherits }) => inherits !== undefined)
    const { from } = taken[branch]!.inherits!
    expect(taken.findIndex(({ header, isLast }) => header.id === from && isLast)).toBeLessThan(branch)
    expect(taken[branch]!.header.seedLength).toBe(taken[branch]!.inherits!.boundary + 1)
  })

  it('gives no step of an empty source', async () => {
    expect(await steps('', 10)).toMatchObject({ steps: [], report: { records: 0, sessions: [] } })
  })
})
