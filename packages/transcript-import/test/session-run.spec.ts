import { describe, expect, it } from 'vitest'
import { readers } from '../src/readers/index.js'
import { SessionRun } from '../src/session-run.js'
import type { SourceRecord } from '../src/source/record.js'
import { pi } from './support/samples.js'

const header = { version: 1, id: 's' as never, createdAt: 0 }
const values = [
  pi('u1', null, { role: 'user', content: 'one' }),
  pi('a1', 'u1', { role: 'assistant', provider: 'p', model: 'm', content: [{ type: 'text', text: 'first' }] }),
  pi('u2', 'a1', { role: 'user', content: 'left' }),
  pi('u3', 'a1', { role: 'user', content: 'right' }),
]
const records = values.map((value, ordinal) => ({
  ordinal,
  position: { line: ordinal + 1 },
  value,
})) as unknown as SourceRecord[]

function plans() {
  const survey = readers.find(({ format }) => format === 'pi')!.survey({ provider: undefined, model: undefined })
  for (const record of records) survey.take(record)
  return survey.plan()
}

describe('SessionRun', () => {
  it('reads the records of its session, and says what it did with them', () => {
    const [live] = plans()
    const run = new SessionRun('pi', live!, header, 0)
    expect(records.map(record => run.take(record)?.kind)).toEqual([
      'message/user',
      'message/assistant',
      undefined,
      'message/user',
    ])
    run.finish()
    expect(run.drain().length).toBe(run.report().events)
  })

  it('gives of a branch only what it does not inherit, but counts all of it', () => {
    const [live, branch] = plans()
    const from = new SessionRun('pi', live!, header, 0)
    for (const record of records) from.take(record)
    from.finish()
    const boundary = from.lastShared(branch!.fork!)!
    const shared = from.drain().slice(0, boundary.seq + 1)
    expect(shared.at(-1)?.type).toBe('turn/end')
    const run = new SessionRun('pi', branch!, { ...header, seedLength: boundary.seq + 1 }, 0, { from, boundary })
    expect(records.map(record => run.take(record)?.kind)).toEqual([undefined, undefined, 'message/user', undefined])
    run.finish()
    const own = run.drain()
    expect(own.map(({ type }) => type)).toEqual(['turn/start', 'user/message', 'turn/end'])
    expect(own[0]!.seq).toBe(boundary.seq + 1)
    expect(run.report()).toMatchObject({ events: boundary.seq + 4, inherited: boundary.seq + 1 })
  })

  it('keeps a record that nobody wants', () => {
    const [live] = plans()
    const run = new SessionRun('pi', live!, header, 0)
    expect(run.keep(records[2]!)).toEqual({ kind: 'message/user', isKept: true, isPartly: false })
    expect(run.drain()).toMatchObject([{ type: 'import/record', data: { record: values[2] } }])
  })
})
