import { describe, expect, it } from 'vitest'
import { checkLine, describeLine, isBlank, isWholeJson, sameBytes } from '../src/row.js'
import { event, lines, sampleEvents, toRecords } from './support/records.js'

describe('describeLine', () => {
  it('gives the record of a line that shares the memory of its block', () => {
    for (const record of toRecords(sampleEvents(20))) {
      const block = Buffer.concat([Buffer.from('before\n'), record.body, Buffer.from('\nafter')])
      const found = describeLine(block, 7, 7 + record.body.length)
      expect(found).toEqual({ ...record, body: new Uint8Array(record.body) })
      expect(found.body.buffer).toBe(block.buffer)
    }
  })

  it('leaves out white space around the line', () => {
    const [line] = lines(toRecords([event(3)]))
    const block = Buffer.from(`\t\r ${line} \r\t`)
    expect(lines([describeLine(block, 0, block.length)])).toEqual([line])
  })
})

describe('checkLine', () => {
  it.each([
    ['a payload that is no JSON', '{"type":"a/b","seq":0,"time":1,"data":{oops}}'],
    ['a number that is too large', '{"type":"a/b","seq":0,"time":1,"data":1e999}'],
    [
      'a packed row whose lengths do not add up',
      lines(toRecords(sampleEvents(7, 1)))[0]!.replace('"len":[', '"len":[9'),
    ],
  ])('refuses %s, which the envelope does not show', (_, line) => {
    const block = Buffer.from(line)
    expect(() => describeLine(block, 0, block.length)).not.toThrow()
    expect(() => checkLine(block, 0, block.length)).toThrow()
  })

  it('refuses invalid UTF-8 in a payload', () => {
    const block = Buffer.from('{"type":"a/b","seq":0,"time":1,"data":"?"}')
    block[block.indexOf('?')] = 0xff
    expect(() => checkLine(block, 0, block.length)).toThrow('UTF-8')
  })

  it('refuses zeros, and says so in a few words', () => {
    const block = Buffer.alloc(100_000)
    const refusal = expect.objectContaining({ code: 'INVALID_EVENT', found: 'a line with a zero byte' })
    expect(() => checkLine(block, 0, block.length)).toThrow(refusal)
  })
})

describe('the bytes of lines', () => {
  it('are blank, equal and whole', () => {
    expect(isBlank(Buffer.from('\r\t '), 0, 3)).toBe(true)
    expect(isBlank(Buffer.from(' x '), 0, 3)).toBe(false)
    expect(isBlank(Buffer.alloc(3), 0, 3)).toBe(false)
    expect(sameBytes(Buffer.from('ab'), new Uint8Array([97, 98]))).toBe(true)
    expect(sameBytes(Buffer.from('ab'), Buffer.from('abc'))).toBe(false)
    expect(isWholeJson(Buffer.from('xx{"a":[]}').subarray(2))).toBe(true)
    expect(isWholeJson(Buffer.from('{"a":[]'))).toBe(false)
  })
})
