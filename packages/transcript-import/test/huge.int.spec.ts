import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { SessionEvent } from '@dsh/session'
import { type ImportReport, streamTranscript } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { claude, claudeMessage, codex } from './support/samples.js'

const MEGABYTE = 1_048_576
const size = process.env.DSH_FULL === '1' ? 200 : 12
/** What may stay in memory, in megabytes: a piece of the file, and an index of its records. */
const allowed = process.env.DSH_FULL === '1' ? 60 : 12

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

describe(`a file of ${size} MB (200 with DSH_FULL=1)`, () => {
  it('of Claude Code is imported in little memory, and nothing is lost', async () => {
    const file = new Generated(claudeLines)
    const { events, peak, report } = await measure(file)
    expect(peak).toBeLessThan(allowed)
    expect(report.damaged).toBe(1)
    expect(report.records).toBe(file.records)
    expect(events['tool/result']).toBe(file.rounds)
    expect(report.sessions[0]!.endings).toEqual({ completed: file.rounds })
  })

  it('of Codex is imported in little memory, and nothing is lost', async () => {
    const file = new Generated(codexLines)
    const { events, peak, report } = await measure(file)
    expect(peak).toBeLessThan(allowed)
    expect(report.records).toBe(file.records)
    expect(events['tool/result']).toBe(file.rounds)
    expect(events['assistant/message']).toBe(file.rounds * 2)
  })
})

/** A file that is made as it is read, the same each time. */
class Generated {
  rounds = 0
  records = 0
  readonly #round: (round: number) => readonly unknown[]

  constructor(round: (round: number) => readonly unknown[]) {
    this.#round = round
  }

  *chunks(): Generator<Uint8Array> {
    this.rounds = 0
    this.records = 0
    const encoder = new TextEncoder()
    for (let bytes = 0; bytes < size * MEGABYTE; ) {
      const records = this.#round(this.rounds++)
      this.records += records.filter(record => typeof record !== 'string').length
      const text = records.map(record => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join('')
      const chunk = encoder.encode(text)
      bytes += chunk.length
      yield chunk
    }
  }
}

async function measure(
  file: Generated,
): Promise<{ events: Record<string, number>; peak: number; report: ImportReport }> {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const events: Record<string, number> = {}
  let [peak, seen] = [0, 0]
  const steps = streamTranscript(() => file.chunks())
  let step = await steps.next()
  for (; step.done !== true; step = await steps.next()) {
    for (const { type } of step.value.events) events[type] = (events[type] ?? 0) + 1
    seen += bytesOf(step.value.events)
    if (seen < (size / 8) * MEGABYTE) continue
    seen = 0
    collectGarbage()
    peak = Math.max(peak, process.memoryUsage().heapUsed - before)
  }
  return { events, peak: peak / MEGABYTE, report: step.value }
}

function bytesOf(events: readonly SessionEvent[]): number {
  return events.reduce((sum, event) => sum + (event.type === 'tool/result' ? 20_000 : 500), 0)
}

const output = 'all work and no play makes a long output\n'.repeat(500)

function claudeLines(round: number): readonly unknown[] {
  const id = (name: string) => `${name}-${round}`
  const parent = round === 0 ? null : `end-${round - 1}`
  const call = { type: 'tool_use', id: id('call'), name: 'Read', input: { round } }
  const result = { type: 'tool_result', tool_use_id: id('call'), content: `${round} ${output}` }
  return [
    ...(round === 5 ? ['{"type":"user","uuid":'] : []),
    claude('user', id('prompt'), parent, { role: 'user', content: `Round ${round}` }),
    claude('assistant', id('ask'), id('prompt'), claudeMessage(id('m'), call)),
    claude('user', id('result'), id('ask'), { role: 'user', content: [result] }),
    claude('assistant', id('end'), id('result'), claudeMessage(id('n'), { type: 'text', text: `Done ${round}` })),
  ]
}

function codexLines(round: number): readonly unknown[] {
  const item = (payload: object) => codex('response_item', payload)
  return [
    ...(round === 0 ? [codex('session_meta', { id: 's', timestamp: '2026-01-01T00:00:00Z' })] : []),
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: `Round ${round}` }] }),
    item({ type: 'function_call', call_id: `call-${round}`, name: 'shell', arguments: '{}' }),
    item({ type: 'function_call_output', call_id: `call-${round}`, output: `${round} ${output}` }),
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `Done ${round}` }] }),
    codex('event_msg', { type: 'task_complete' }),
  ]
}
