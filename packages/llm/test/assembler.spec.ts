import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleChunks, BlockAssembler } from '../src/assembler.js'
import type { ContentBlock } from '../src/content.js'
import { callId } from '../src/ids.js'
import type { StreamChunk } from '../src/stream.js'
import { firstUnfrozen } from './deep-frozen.js'

const text = (index: number, text: string): StreamChunk => ({ type: 'text-delta', index, text })
const reasoning = (index: number, text: string): StreamChunk => ({ type: 'reasoning-delta', index, text })
const call = (index: number, id: string, argumentsDelta: string, name?: string): StreamChunk => ({
  type: 'tool-call-delta',
  index,
  id: id as ReturnType<typeof callId>,
  argumentsDelta,
  ...(name !== undefined && { name }),
})
const start = (index: number, blockType = 'text'): StreamChunk => ({ type: 'block-start', index, blockType })
const end = (index: number, block: ContentBlock): StreamChunk => ({ type: 'block-end', index, block })
const blocks = (...chunks: StreamChunk[]) => assembleChunks(chunks).content

const index = fc.nat({ max: 2 })
const piece = fc.constantFrom('', 'a', 'b', '\ud83d', '\ude00')
const chunk: fc.Arbitrary<StreamChunk> = fc.oneof(
  fc.tuple(index, piece).map(([at, piece]) => text(at, piece)),
  fc.tuple(index, piece).map(([at, piece]) => reasoning(at, piece)),
  fc
    .tuple(index, fc.constantFrom('c0', 'c1'), piece, fc.option(piece, { nil: undefined }))
    .map(([at, id, piece, name]) => call(at, id, piece, name)),
  index.map(at => start(at)),
  fc.tuple(index, piece).map(([at, text]) => end(at, { type: 'text', text })),
)

/** The rules, one index after the other and without any state kept between chunks. */
function model(chunks: readonly StreamChunk[]): unknown[] {
  return [0, 1, 2].flatMap((index): unknown[] => {
    const own = chunks.filter(chunk => 'index' in chunk && chunk.index === index)
    const closing = own.find(chunk => chunk.type === 'block-end')
    if (closing !== undefined) return [closing.block]
    const keys = own.flatMap(chunk => {
      if (chunk.type === 'tool-call-delta') return [`tool-call ${chunk.id}`]
      return (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') && chunk.text ? [chunk.type] : []
    })
    return [...new Set(keys)].map(key => {
      const [type, id] = key.split(' ')
      if (type !== 'tool-call') {
        const said = own.map(chunk => (chunk.type === type ? (chunk as { text: string }).text : ''))
        return { type: type!.replace('-delta', ''), text: said.join('') }
      }
      const deltas = own.filter(chunk => chunk.type === 'tool-call-delta').filter(chunk => chunk.id === id)
      const name = deltas.map(delta => delta.name).findLast(Boolean) ?? ''
      return { type, id, name, arguments: deltas.map(delta => delta.argumentsDelta).join('') }
    })
  })
}

describe('content', () => {
  it('agrees with a naive model on any stream', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 30 }), chunks => {
        expect(assembleChunks(chunks).content).toEqual(model(chunks))
      }),
      { numRuns: 500 },
    )
  })

  it('is at any moment what the chunks so far amount to, read or not', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 12 }), chunks => {
        const assembler = new BlockAssembler()
        chunks.forEach((chunk, at) => {
          assembler.push(chunk)
          expect(assembler.blocks()).toEqual(assembleChunks(chunks.slice(0, at + 1)).content)
        })
      }),
    )
  })

  it('does not depend on how the chunks of different indexes interleave', () => {
    const perIndex = fc.tuple(
      ...[0, 1, 2].map(at => fc.array(chunk.map(chunk => ({ ...chunk, index: at }) as StreamChunk))),
    )
    fc.assert(
      fc.property(perIndex, fc.infiniteStream(fc.nat({ max: 2 })), (streams, turns) => {
        const queues = streams.map(stream => [...stream])
        const interleaved: StreamChunk[] = []
        while (queues.some(queue => queue.length > 0)) {
          const next = queues[turns.next().value as number]!.shift()
          if (next !== undefined) interleaved.push(next)
        }
        expect(assembleChunks(interleaved).content).toEqual(assembleChunks(streams.flat()).content)
      }),
    )
  })

  it('does not depend on where the provider cuts a text, not even inside a surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(), (whole, at) => {
        const cut = at % whole.length
        expect(blocks(text(0, whole.slice(0, cut)), text(0, whole.slice(cut)))).toEqual([{ type: 'text', text: whole }])
      }),
    )
  })

  it('follows the indexes and not the order of arrival', () => {
    expect(blocks(text(10, 'c'), text(2, 'b'), reasoning(0, 'a'))).toEqual([
      { type: 'reasoning', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'text', text: 'c' },
    ])
  })

  it('is empty for no chunks, for starts alone and for empty deltas', () => {
    expect(blocks()).toEqual([])
    expect(blocks(start(0), start(1, 'tool-call'), text(0, ''), reasoning(2, ''))).toEqual([])
  })

  it('has a call whose arguments or name never came', () => {
    expect(blocks(call(0, 'c0', ''))).toEqual([{ type: 'tool-call', id: 'c0', name: '', arguments: '' }])
  })
})

describe('a block-end', () => {
  it('outranks the deltas before it', () => {
    expect(blocks(text(0, 'dra'), text(0, 'ft'), end(0, { type: 'text', text: 'final' }))).toEqual([
      { type: 'text', text: 'final' },
    ])
  })

  it('closes its index against deltas, starts and further ends, and no other index', () => {
    const first: ContentBlock = { type: 'text', text: 'first' }
    const late: ContentBlock = { type: 'text', text: 'late' }
    expect(blocks(end(0, first), text(0, 'x'), call(0, 'c', 'x'), start(0), end(0, late), text(1, 'y'))).toEqual([
      first,
      { type: 'text', text: 'y' },
    ])
  })

  it('keeps a block of an unknown kind verbatim, in place of the deltas that streamed it', () => {
    const citation = { type: 'x-citation', text: 'ab', spans: [[0, 1]] } as unknown as ContentBlock
    expect(blocks(start(0, 'x-citation'), text(0, 'a'), text(0, 'b'), end(0, citation))).toEqual([citation])
  })

  it('keeps even an empty text', () => {
    expect(blocks(end(0, { type: 'text', text: '' }))).toEqual([{ type: 'text', text: '' }])
  })

  it('copies its block, so that the adapter may go on using its own', () => {
    const own = { type: 'text', text: 'said' }
    const assembler = new BlockAssembler()
    assembler.push(end(0, own as ContentBlock))
    own.text = 'changed'
    expect(assembler.blocks()).toEqual([{ type: 'text', text: 'said' }])
  })
})

describe('tool calls', () => {
  it('take their name from whichever delta brings it', () => {
    const expected = [{ type: 'tool-call', id: 'c0', name: 'read', arguments: '{}' }]
    expect(blocks(call(0, 'c0', '{', 'read'), call(0, 'c0', '}'))).toEqual(expected)
    expect(blocks(call(0, 'c0', '{'), call(0, 'c0', '}', 'read'))).toEqual(expected)
    expect(blocks(call(0, 'c0', '{', 'read'), call(0, 'c0', '}', ''))).toEqual(expected)
  })

  it('stay apart by id when a provider streams all of them at one index', () => {
    expect(blocks(call(0, 'c0', '1', 'f'), call(0, 'c1', '2', 'g'), call(0, 'c0', '3'))).toEqual([
      { type: 'tool-call', id: 'c0', name: 'f', arguments: '13' },
      { type: 'tool-call', id: 'c1', name: 'g', arguments: '2' },
    ])
  })

  it.each(['', undefined])('continue the latest call of the index when a delta has no id (%j)', missing => {
    const none = missing as string
    expect(blocks(call(0, 'c0', '1'), call(0, 'c1', '2'), call(0, none, '3'))).toMatchObject([
      { id: 'c0', arguments: '1' },
      { id: 'c1', arguments: '23' },
    ])
    expect(blocks(call(0, none, '1'), call(0, 'c0', '2'))).toMatchObject([{ id: 'c0', arguments: '12' }])
  })
})

describe('usage and finish', () => {
  const usage = (inputTokens: number) => ({ type: 'usage', usage: { inputTokens, outputTokens: 0 } }) as const

  it('are those of the last chunk that tells them', () => {
    expect(
      assembleChunks([
        usage(1),
        { type: 'finish', reason: { kind: 'tool-calls' }, replayState: 'early' },
        usage(2),
        { type: 'finish', reason: { kind: 'stop' }, replayState: ['s'] },
      ]),
    ).toStrictEqual({
      content: [],
      usage: { inputTokens: 2, outputTokens: 0 },
      finish: { kind: 'stop' },
      replayState: ['s'],
    })
  })

  it('come together: a finish without replay state leaves none of an earlier one', () => {
    const chunks: StreamChunk[] = [
      { type: 'finish', reason: { kind: 'stop' }, replayState: 'early' },
      { type: 'finish', reason: { kind: 'max-tokens' } },
    ]
    expect(assembleChunks(chunks)).toStrictEqual({ content: [], finish: { kind: 'max-tokens' } })
  })

  it('keep a null replay state, which an adapter may mean', () => {
    expect(assembleChunks([{ type: 'finish', reason: { kind: 'stop' }, replayState: null }])).toHaveProperty(
      'replayState',
      null,
    )
  })

  it('do not end the stream: what is said afterwards still counts', () => {
    expect(blocks({ type: 'finish', reason: { kind: 'stop' } }, text(0, 'late'))).toEqual([
      { type: 'text', text: 'late' },
    ])
  })

  it('are absent when no chunk tells them', () => {
    expect(assembleChunks([text(0, 'a')])).toStrictEqual({ content: [{ type: 'text', text: 'a' }] })
  })
})

describe('results', () => {
  it('are frozen all the way down, and the chunks are not', () => {
    const chunks: StreamChunk[] = [
      text(0, 'a'),
      call(1, 'c0', '{}'),
      end(2, { type: 'tool-result', toolCallId: callId('c0'), content: [{ type: 'text', text: 'r' }] }),
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
      { type: 'finish', reason: { kind: 'error', failure: { message: 'm', code: 'c' } }, replayState: { a: [{}] } },
    ]
    expect(firstUnfrozen(assembleChunks(chunks))).toBeUndefined()
    expect(chunks.map(chunk => firstUnfrozen(chunk))).toEqual(chunks.map(() => '$'))
    expect(firstUnfrozen((chunks[2] as { block: unknown }).block)).toBe('$')
  })

  it('are the same objects until a chunk changes them', () => {
    const assembler = new BlockAssembler()
    assembler.push(text(0, 'a'))
    assembler.push(text(1, 'b'))
    const before = assembler.blocks()
    assembler.push({ type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } })
    assembler.push(start(2))
    expect(assembler.blocks()).toBe(before)
    assembler.push(text(1, 'c'))
    const after = assembler.blocks()
    expect(before).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ])
    expect(after[0]).toBe(before[0])
    expect(after[1]).toEqual({ type: 'text', text: 'bc' })
  })
})

describe('streams of other makes', () => {
  it('may have chunks of unknown types and malformed ones, which say nothing', () => {
    const foreign = [
      { type: 'x-ping' },
      { type: 'x-audio-delta', index: 0, text: 'x' },
      { type: 'text-delta', index: 0 },
      { type: 'text-delta', index: 0, text: { a: 1 } },
      { type: 'tool-call-delta', index: 1, id: 'c0', argumentsDelta: 7 },
      { type: 'block-end', index: 0 },
      {},
    ] as unknown as StreamChunk[]
    expect(assembleChunks(foreign)).toStrictEqual({ content: [] })
    expect(blocks(...foreign, text(0, 'a'))).toEqual([{ type: 'text', text: 'a' }])
  })

  it('may open a call with its name alone', () => {
    const nameOnly = { type: 'tool-call-delta', index: 0, id: 'c0', name: 'f' } as unknown as StreamChunk
    expect(blocks(nameOnly, call(0, 'c0', '{}'))).toEqual([{ type: 'tool-call', id: 'c0', name: 'f', arguments: '{}' }])
  })

  it('may be of any length: a million deltas make one block', () => {
    const assembler = new BlockAssembler()
    for (let count = 0; count < 1_000_000; count++) assembler.push(text(0, 'ab'))
    const [block] = assembler.blocks()
    expect(block?.type === 'text' && block.text === 'ab'.repeat(1_000_000)).toBe(true)
  })
})
