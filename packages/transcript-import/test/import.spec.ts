import { Session } from '@dsh/session'
import { importTranscript, transcriptFormats } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { brief } from './support/brief.js'
import { busy } from './support/busy.js'
import { lines, read } from './support/read.js'
import { claude, samples } from './support/samples.js'
import { stored } from './support/stored.js'

describe('importTranscript', () => {
  it.each(transcriptFormats)('gives sessions of %s that a log takes, stores and gives back', async format => {
    for (const text of [samples[format], busy[format] ?? '']) {
      for (const session of (await importTranscript(text)).sessions) {
        expect(session).toBeInstanceOf(Session)
        expect(stored(session, true).events).toEqual(session.events)
      }
    }
  })

  it('gives the same events each time, apart from nothing', async () => {
    for (const text of [...Object.values(samples), ...Object.values(busy)]) {
      const [once, again] = [await importTranscript(text), await importTranscript(text)]
      expect(again.sessions.map(({ events }) => events)).toEqual(once.sessions.map(({ events }) => events))
    }
  })

  it('gives nothing of an empty source, and says so', async () => {
    for (const source of ['', '\n \n', new Uint8Array(), []]) {
      const { sessions, report } = await importTranscript(source)
      expect(sessions).toEqual([])
      expect(report).toEqual({ records: 0, blankLines: 0, kinds: {}, damaged: 0, damage: [], sessions: [] })
    }
  })

  it('reads both objects of a line on which two are glued', async () => {
    const [first, ...rest] = samples['claude-code'].trim().split('\n')
    const glued = await read(lines(`${first}${rest[0]}`, ...rest.slice(1)))
    const apart = await read(samples['claude-code'])
    expect(glued.report.damaged).toBe(0)
    expect(brief(glued.session)).toEqual(brief(apart.session))
  })

  it('makes a damaged line a record of its own, with its place', async () => {
    const [first, ...rest] = samples['claude-code'].split('\n')
    const { session, report } = await read([first, '{"type":"user","mess', ...rest].join('\n'))
    const [damaged] = session.events.filter(({ type }) => type === 'import/damaged')
    expect(damaged).toMatchObject({
      data: {
        origin: { format: 'claude-code', line: 2, byte: first!.length + 1 },
        reason: 'not a JSON record',
        text: '{"type":"user","mess',
        bytes: 20,
      },
    })
    expect(report.damage).toEqual([
      {
        origin: { format: 'claude-code', line: 2, byte: first!.length + 1 },
        reason: 'not a JSON record',
        bytes: 20,
      },
    ])
  })

  it('keeps a record whose numbers or nesting the log could not hold', async () => {
    const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`
    const line = '{"type":"novel","uuid":"n","big":12345678901234567890,"none":-0}'
    const { session } = await read(
      lines(claude('user', 'u', null, { role: 'user', content: 'a' }), line, `{"type":"deep","uuid":"d","x":${deep}}`),
    )
    const records = session.events.flatMap(event => (event.type === 'import/record' ? [event.data.record] : []))
    expect(records).toContainEqual({ type: 'novel', uuid: 'n', big: '12345678901234567890', none: '-0' })
    expect(records).toContainEqual(`{"type":"deep","uuid":"d","x":${deep}}`)
  })

  it('gives what has no time the time before it, or that of the first that has one', async () => {
    const prompt = claude('user', 'u', null, { role: 'user', content: 'a' })
    const { session } = await read(
      lines({ type: 'summary', leafUuid: 'x' }, prompt, { type: 'summary', leafUuid: 'y' }),
    )
    const time = Date.parse(prompt.timestamp)
    expect(session.header.createdAt).toBe(time)
    expect(session.events.map(event => event.time)).toEqual(Array(session.seq).fill(time))
  })

  it('gives sessions without any time the one that the caller names', async () => {
    expect((await read(samples.openai, { time: 77 })).session.events.map(({ time }) => time)).toContain(77)
    expect((await read(samples.openai, { time: 77 })).session.header.createdAt).toBe(77)
    expect((await read(samples.openai)).session.eventAt(0).time).toBe(0)
  })

  it('leaves a line alone that is longer than it may be, and reads the others', async () => {
    const { session, report } = await read(
      lines(...samples.pi.trim().split('\n'), { type: 'custom', x: 'y'.repeat(5_000) }),
      {
        maxRecordBytes: 1_000,
      },
    )
    expect(report.damage).toMatchObject([{ reason: 'longer than a record may be', bytes: 5_024 }])
    expect(session.deriveMessages()).toHaveLength(4)
  })

  it('refuses a document that is longer than it may be', async () => {
    await expect(importTranscript(samples['gemini-cli'], { maxDocumentBytes: 100 })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    })
  })
})
