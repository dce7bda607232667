import type { JsonValue } from '@dsh/llm'
import { transcriptFormats } from '@dsh/transcript-import'
import { describe, expect, it } from 'vitest'
import { readers } from '../../src/readers/index.js'

describe('readers', () => {
  it('are one for each format', () => {
    expect(readers.map(({ format }) => format).toSorted()).toEqual([...transcriptFormats].toSorted())
  })

  it.each(readers)('recognize nothing in what says nothing: $format', reader => {
    const odd: JsonValue[] = [null, 5, 'text', [], {}, [[]], [{}], { type: null }, { messages: 5 }]
    expect(reader.recognizes(odd)).toBe(0)
    for (const document of odd) expect(reader.recognizesDocument(document)).toBe(0)
  })
})
