import { describe, expect, it } from 'vitest'
import { parseDocument, readText } from '../../src/source/document.js'

describe('parseDocument', () => {
  it('parses a document', () => {
    expect(parseDocument('{"a":[1]}')).toEqual({ value: { a: [1] }, text: '{"a":[1]}' })
  })

  it('reads one that breaks off up to its last whole element', () => {
    const text = '{"id":"s","messages":[{"n":1,"x":[{"y":1}]},{"n":2},{"n":3,"x":[{"y":'
    const document = parseDocument(text)
    expect(document?.value).toEqual({ id: 's', messages: [{ n: 1, x: [{ y: 1 }] }, { n: 2 }] })
    expect(text.slice(document!.damage!.start)).toBe(',{"n":3,"x":[{"y":')
  })

  it('does so at every place where a document can break off', () => {
    const whole = JSON.stringify({ id: 's', messages: [{ n: 1 }, { n: 2, t: '}]' }, { n: 3 }] })
    for (let length = whole.indexOf('{"n":2'); length < whole.length; length++) {
      const found = parseDocument(whole.slice(0, length))
      const { messages } = found!.value as { messages: unknown[] }
      const complete = whole.slice(0, length).split(/"n":\d(?:,"t":"\}\]")?\}/).length - 1
      expect(messages).toHaveLength(complete)
      expect(found!.damage).toBeDefined()
    }
  })

  it('reads a list that breaks off', () => {
    expect(parseDocument('[{"a":1},{"b')?.value).toEqual([{ a: 1 }])
  })

  it('gives up where no element is whole, or brackets do not match', () => {
    for (const text of ['', 'hello', '{"a":', '[{"a":1', '}{', '{"a":[1]']) expect(parseDocument(text)).toBeUndefined()
  })
})

describe('readText', () => {
  const chunks = [new TextEncoder().encode('\ufeff{"a"'), new TextEncoder().encode(':1}')]

  it('puts the chunks together, without a byte order mark', async () => {
    expect(await readText(chunks, 100)).toBe('{"a":1}')
  })

  it('refuses more than it may read', async () => {
    expect(await readText(chunks, 8)).toBeUndefined()
  })
})
