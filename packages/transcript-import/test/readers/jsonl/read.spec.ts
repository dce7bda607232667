import { encodeRows, Session } from '@dsh/session'
import { exportTranscript } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { brief } from '../../support/brief.js'
import { lines, read } from '../../support/read.js'
import { samples } from '../../support/samples.js'

const header = { type: 'session', version: 1, id: 's', createdAt: 5, novel: 1 }

/** A log with deltas that storage packs, an unknown event, odd strings and a replacement. */
function log(): Session {
  const session = new Session('s', [], { version: 1, id: 's' as never, createdAt: 5, novel: 1 } as never)
  session.append('turn/start', { turn: 1, trigger: { kind: 'retry' } })
  for (const text of ['a', '\ud800', 'c']) {
    session.append('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } })
  }
  const append = session.append.bind(session) as (type: string, data: unknown, intent?: object) => unknown
  append('plugin/fact', { '\u0000': 35584837045692710, deep: [[]] })
  const message = (id: string) => ({
    id,
    role: 'user',
    source: { kind: 'user' },
    content: [{ type: 'text', text: id }],
  })
  append('user/message', message('u'), { surfaceOp: 'append' })
  const op = { op: 'replace', start: 5, end: 5 } as const
  append('user/message', message('v'), { surfaceOp: op, sourceEventSeqs: [5] })
  return session
}

describe('the JSONL reader', () => {
  it('gives back exactly what was exported, an open turn included', async () => {
    const session = log()
    const { session: back, report } = await read(exportTranscript(session, 'jsonl'))
    expect(back.header).toEqual(session.header)
    expect(back.events).toEqual(session.events)
    expect(report).toMatchObject({ format: 'jsonl', damaged: 0 })
  })

  it('reads stored logs: packed rows, commit lines, and the header of each part', async () => {
    const session = log()
    const rows = encodeRows(session.events).map(({ body }) => new TextDecoder().decode(body))
    const commit = { type: 'commit', next: 3, time: 5, bytes: 10, crc: 7 }
    expect(rows.length).toBeLessThan(session.seq)
    const { session: back, report } = await read(lines(header, rows[0]!, commit, header, ...rows.slice(1), commit))
    expect(back.events).toEqual(session.events)
    expect(report.kinds.commit).toEqual({ records: 2, kept: 0, partly: 0 })
  })

  it('takes another id where the caller wants one', async () => {
    const { session } = await read(samples.jsonl, { sessionId: ({ sourceId }) => `copy of ${sourceId}` })
    expect(session.header).toMatchObject({ id: 'copy of s', createdAt: 5, cwd: '/w' })
  })

  it('refuses a version that it cannot read, and says which way it is off', async () => {
    await expect(read(lines({ ...header, version: 2 }))).rejects.toMatchObject({
      code: 'FORMAT_UNSUPPORTED',
      message: expect.stringContaining('newer version 2'),
    })
  })

  it('keeps what it cannot read in its place, and repeated lines behind the events', async () => {
    const message = { id: 'u', role: 'user', source: { kind: 'user' }, content: [] }
    const event = { type: 'user/message', seq: 0, time: 1, surfaceOp: 'append', data: message }
    const { session } = await read(
      lines(
        { ...header, cwd: 'relative' },
        event,
        event,
        { type: 'x/y', seq: 'one', data: 1 },
        { type: 'user/message', seq: 1, time: 1, data: 5 },
        'torn',
      ),
    )
    expect(brief(session).map(line => line.slice(0, 34))).toEqual([
      'user: ',
      'record x/y {"type":"x/y","seq":"one"'.slice(0, 34),
      'record user/message {"type":"user/'.slice(0, 34),
      'damaged line 6: not a JSON record',
      'rest session {"cwd":"relative"}',
      'record user/message {"type":"user/'.slice(0, 34),
    ])
  })
})
