import { importTranscript, transcriptFormats } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { lines, read } from './support/read.js'
import { claude, codex, samples } from './support/samples.js'

describe('detection', () => {
  it.each(transcriptFormats)('knows %s from its content', async format => {
    expect((await read(samples[format])).report.format).toBe(format)
  })

  it.each(transcriptFormats)('knows %s behind blank lines, a byte order mark and carriage returns', async format => {
    const text = `\ufeff\r\n\r\n${samples[format].replace(/\n/g, '\r\n')}`
    expect((await read(text)).report.format).toBe(format)
  })

  it('knows a document on one line, and one over many', async () => {
    const document = JSON.parse(samples['gemini-cli'])
    for (const text of [JSON.stringify(document), `${JSON.stringify(document)}\n`, JSON.stringify(document, null, 4)]) {
      expect((await read(text)).report.format).toBe('gemini-cli')
    }
  })

  it.each([
    ['a list', (rows: string[]) => `[\n${rows.join(',\n')}\n]`],
    ['a list that begins on the first line', (rows: string[]) => `[${rows.join(',\n')}]`],
    ['a request', (rows: string[]) => `{\n  "messages": [\n    ${rows.join(',\n    ')}\n  ]\n}`],
    ['a request that begins on the first line', (rows: string[]) => `{"messages": [${rows.join(',\n')}]}`],
  ])('knows %s with a message on each line', async (_, write) => {
    const rows = JSON.parse(samples.openai).map((row: unknown) => JSON.stringify(row))
    const { report } = await read(write(rows))
    expect(report).toMatchObject({ format: 'openai', damaged: 0, kinds: { user: { records: 1, kept: 0 } } })
    const broken = await read(write(rows).slice(0, -20))
    expect(broken.report).toMatchObject({ format: 'openai', damaged: 1 })
    const line = await read(write(rows), { maxDocumentBytes: 10 })
    expect(line.report.kinds).toMatchObject({ assistant: { kept: 0 } })
    expect(line.report.damaged).toBeGreaterThan(1)
  })

  it('takes a first line that is cut behind a comma for no document', async () => {
    const { report } = await read(`{"type":"user",\n${samples['claude-code']}`)
    expect(report).toMatchObject({ format: 'claude-code', damaged: 1 })
  })

  it('knows a document that breaks off, and reads what is there of it', async () => {
    const text = samples['gemini-cli'].slice(0, samples['gemini-cli'].indexOf('"toolCalls"'))
    const { session, report } = await read(text)
    expect(report).toMatchObject({ format: 'gemini-cli', damaged: 1 })
    expect(session.deriveMessages()).toHaveLength(1)
    expect(session.events.at(-2)).toMatchObject({ type: 'import/damaged', data: { reason: 'the document breaks off' } })
  })

  it('knows a file whose first line is damaged', async () => {
    expect((await read(`{"type":"user","uu\n${samples['claude-code']}`)).report).toMatchObject({
      format: 'claude-code',
      damaged: 1,
    })
  })

  it('goes by the most of what a file holds', async () => {
    const strays = [codex('response_item', {}), { role: 'user', content: 'x' }]
    const { report } = await read(lines(...strays, ...samples['claude-code'].trim().split('\n')))
    expect(report.format).toBe('claude-code')
    expect(report.kinds.response_item).toMatchObject({ records: 1, kept: 1 })
  })

  it('reads in the format that the caller names, and keeps what does not fit', async () => {
    const { session, report } = await read(samples.codex, { format: 'pi' })
    expect(report.format).toBe('pi')
    expect(session.deriveMessages()).toEqual([])
    expect(session.seq).toBe(samples.codex.trim().split('\n').length)
  })

  it('refuses what it does not know, and says what it has found', async () => {
    for (const text of ['hello\nworld', '{"a":1}\n{"b":2}', '[1,2]', '{', '\0\0\0', '{"messages":[]}', '[]', '{}']) {
      await expect(importTranscript(text), text).rejects.toMatchObject({
        code: 'FORMAT_UNSUPPORTED',
        message: expect.stringContaining('claude-code'),
      })
    }
  })

  it('says of a packed file that it is one', async () => {
    for (const [bytes, name] of [
      [[0x28, 0xb5, 0x2f, 0xfd, 0], 'zstd'],
      [[0x1f, 0x8b, 0], 'gzip'],
      [[0x50, 0x4b, 3, 4], 'zip'],
      [[...new TextEncoder().encode('SQLite format 3\0')], 'SQLite'],
    ] as const) {
      await expect(importTranscript(Uint8Array.from(bytes))).rejects.toMatchObject({
        code: 'FORMAT_UNSUPPORTED',
        message: expect.stringContaining(name),
      })
    }
  })

  it('looks far enough into a file that begins with much of nothing known', async () => {
    const { report } = await read(
      `${'\n'.repeat(5_000)}${lines(claude('user', 'u', null, { role: 'user', content: 'a' }))}`,
    )
    expect(report).toMatchObject({ format: 'claude-code', blankLines: 5_000 })
  })
})
