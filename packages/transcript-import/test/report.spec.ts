import { describe, expect, it } from 'vitest'
import { ImportTally } from '../src/report.js'
import { busy } from './support/busy.js'
import { read } from './support/read.js'
import { samples } from './support/samples.js'

describe('the report', () => {
  it('counts each record once, with what became of it', async () => {
    const { report } = await read(samples['claude-code'])
    expect(report).toMatchObject({
      format: 'claude-code',
      records: 6,
      kinds: {
        summary: { records: 1, kept: 1, partly: 0 },
        user: { records: 2, kept: 0, partly: 1 },
        assistant: { records: 3, kept: 0, partly: 2 },
      },
    })
  })

  it('counts a record that two branches share once', async () => {
    for (const text of Object.values(busy)) {
      const { report } = await read(text)
      const records = text.startsWith('[') ? JSON.parse(text).length : text.trim().split('\n').length
      expect(report.records).toBe(records)
      expect(Object.values(report.kinds).reduce((sum, kind) => sum + kind.records, 0)).toBe(records)
    }
  })

  it('tells what each session holds', async () => {
    const { report, sessions } = await read(busy.pi!)
    expect(report.sessions).toHaveLength(sessions.length)
    expect(report.sessions[0]).toMatchObject({
      id: 's',
      role: 'live',
      events: sessions[0]!.seq,
      inherited: 0,
      endings: { aborted: 1, 'max-tokens': 1, interrupted: 1 },
      unansweredCalls: 1,
    })
    for (const [index, session] of sessions.entries()) {
      const { types, events } = report.sessions[index]!
      expect(events).toBe(session.seq)
      expect(Object.values(types).reduce((sum, count) => sum + count, 0)).toBe(session.seq)
    }
  })

  it('names the first damaged places, and counts the others', () => {
    const tally = new ImportTally()
    tally.format = 'pi'
    for (let line = 1; line <= 150; line++) {
      tally.damage({ ordinal: line, position: { line }, damage: { reason: 'r', text: 't', bytes: 1 } })
    }
    const report = tally.report({ blankLines: 0, sessions: [] })
    expect([report.damaged, report.damage.length]).toEqual([150, 100])
    expect(report.damage[0]).toEqual({ origin: { format: 'pi', line: 1 }, reason: 'r', bytes: 1 })
  })

  it('counts kinds that are called like parts of objects', () => {
    const tally = new ImportTally()
    for (const kind of ['__proto__', 'constructor', 'toString']) tally.record({ kind, isKept: true, isPartly: false })
    const { kinds } = tally.report({ blankLines: 0, sessions: [] })
    expect(Object.keys(kinds)).toEqual(['__proto__', 'constructor', 'toString'])
  })
})
