import type { MessageId } from '@dsh/llm'
import { describe, expect, it } from 'vitest'
import { Fields } from '../../src/fields.js'
import { LogWriter } from '../../src/log/log-writer.js'

const record = (ordinal: number, value = {}) => ({ ordinal, position: { line: ordinal + 1, byte: 0 }, value })
const user = (id: string) => ({
  id: id as MessageId,
  role: 'user' as const,
  source: { kind: 'user' as const },
  content: [{ type: 'text' as const, text: id }],
})

describe('LogWriter', () => {
  it('numbers events and gives them the time of their record, or of the one before', () => {
    const writer = new LogWriter('codex', 5)
    writer.note('a', 'b')
    writer.at(record(0), 10)
    writer.message('user/message', user('u'))
    writer.at(record(1), undefined)
    writer.keep('kind')
    expect(writer.drain().map(({ seq, time }) => [seq, time])).toEqual([
      [0, 5],
      [1, 10],
      [2, 10],
    ])
    expect(writer.drain()).toEqual([])
  })

  it('names messages and origins after the place of the record', () => {
    const writer = new LogWriter('codex', 0)
    expect(writer.messageId()).toBe('codex:end')
    writer.at({ ordinal: 0, position: { line: 7, item: 2, byte: 3 }, value: {} }, undefined)
    expect([writer.messageId(), writer.messageId(1)]).toEqual(['codex:7.2', 'codex:7.2#1'])
    expect(writer.origin).toEqual({ format: 'codex', line: 7, item: 2, byte: 3 })
  })

  it('follows what the model sees', () => {
    const writer = new LogWriter('codex', 0)
    for (const id of ['a', 'b', 'c']) writer.message('user/message', user(id))
    const op = { op: 'replace' as const, start: 0, end: 1 }
    writer.message('user/message', user('d'), 0, { surfaceOp: op, sourceEventSeqs: [0, 1] })
    expect(writer.surface).toEqual([3, 2])
    expect(writer.surfaceSeq('c' as MessageId)).toBe(2)
    expect(writer.surfaceSeq('a' as MessageId)).toBeUndefined()
  })

  it('keeps what a reader leaves of a record, once', () => {
    const writer = new LogWriter('codex', 0)
    for (const ordinal of [0, 1]) {
      writer.at(record(ordinal), undefined)
      const fields = new Fields({ used: 1, version: '2' })
      fields.take('used')
      writer.keepRest('kind', fields)
    }
    expect(writer.drain().map(({ data }) => data)).toEqual([
      { origin: { format: 'codex', line: 1, byte: 0 }, kind: 'kind', record: { version: '2' }, rest: true },
    ])
    expect([writer.kept, writer.partly]).toEqual([0, 1])
  })

  it('writes for an earlier record without losing the place of the current one', () => {
    const writer = new LogWriter('codex', 0)
    writer.at(record(0), undefined)
    const { record: first } = writer
    writer.at(record(4), undefined)
    writer.within(first, () => writer.note('a', 'b'))
    expect(writer.drain()[0]!.data).toMatchObject({ origin: { line: 1 } })
    expect([writer.ordinal, writer.lastOrdinal]).toEqual([4, 0])
  })

  it('counts damage among what it has read', () => {
    const writer = new LogWriter('codex', 0)
    const damage = { reason: 'r', text: 't', bytes: 1 }
    writer.damaged({ ordinal: 3, position: { line: 4 }, damage })
    expect(writer.drain()[0]).toMatchObject({
      type: 'import/damaged',
      data: { origin: { format: 'codex', line: 4 }, ...damage },
    })
    expect(writer.lastOrdinal).toBe(3)
  })
})
