import { assembleChunks, jsonEquals, type StreamChunk } from '@dsh/llm'
import type { SessionEvent } from '@dsh/session'
import { isRewrite } from '../rewrite.js'
import type { InvariantRule } from '../rule.js'
import { type Violation, violation } from '../violation.js'

/**
 * The chunks of the open step, newest first, ending at the event that opened it. A list, so that a chunk costs one link
 * and a refused candidate leaves nothing behind. Undefined where the chunks are not known: outside a step, or after
 * stored deltas that were not replayed.
 */
export type ChunkList = { readonly event: SessionEvent; readonly previous: ChunkList } | undefined

/** The stretches of the log that hold the chunks of closed steps, newest first. */
export type ChunkRuns = { readonly from: number; readonly to: number; readonly previous: ChunkRuns } | undefined

/** The chunks that an answer can cite, and those that it cannot. */
export interface Chunks {
  readonly list: ChunkList
  readonly closed: ChunkRuns
}

/**
 * An answer is what the chunks that it cites add up to. What is not a chunk may be cited too, but beside chunks only from
 * within the step. An empty citation says that the stream was empty. State: the chunks so far.
 */
export const assembly: InvariantRule<Chunks> = {
  name: 'assembly',
  code: 'ASSEMBLY_MISMATCH',
  description:
    'An assistant message that cites chunks cites those of its own step and equals their assembly, replay state included; one that cites an empty stream is empty.',
  types: ['step/start', 'step/end', 'turn/end', 'assistant/chunk', 'assistant/message'],
  initial: () => ({ list: undefined, closed: undefined }),
  apply(state, event) {
    switch (event.type) {
      case 'step/start':
        return { list: { event, previous: undefined }, closed: closeRuns(state) }
      case 'assistant/chunk':
        return state.list === undefined ? state : { ...state, list: { event, previous: state.list } }
      case 'assistant/message':
        return isRewrite(event) ? state : checkMessage(state, event)
      default:
        return { list: undefined, closed: closeRuns(state) }
    }
  },
  gap: ({ closed }) => ({ list: undefined, closed }),
}

function closeRuns({ list, closed }: Chunks): ChunkRuns {
  let runs = closed
  for (const seq of chunkSeqs(list)) {
    runs = runs?.to === seq - 1 ? { ...runs, to: seq } : { from: seq, to: seq, previous: runs }
  }
  return runs
}

function chunkSeqs(list: ChunkList): number[] {
  const seqs: number[] = []
  for (let link = list; link?.previous !== undefined; link = link.previous) seqs.push(link.event.seq)
  return seqs.reverse()
}

function checkMessage(state: Chunks, event: SessionEvent<'assistant/message'>): Chunks | Violation<Chunks> {
  const { sourceEventSeqs } = event
  const { source, content } = event.data.message
  if (sourceEventSeqs === undefined) return state
  if (sourceEventSeqs.length === 0) {
    if (content.length === 0) return state
    return violation('no content from a stream cited as empty', 'content', state, 'data.message.content')
  }
  if (state.list === undefined) return state
  const { chunks, start } = cited(state.list, new Set(sourceEventSeqs))
  const earlier = sourceEventSeqs.filter(seq => seq < start)
  const foreign = chunks.length === 0 ? findIn(state.closed, earlier) : earlier[0]
  if (foreign !== undefined) {
    return violation(`sources after the step's start at ${start}`, `${foreign}`, state, 'sourceEventSeqs')
  }
  if (chunks.length === 0) return state
  const assembled = assembleChunks(chunks)
  if (!jsonEquals(assembled.content, content)) {
    return violation('the content that the cited chunks add up to', 'other content', state, 'data.message.content')
  }
  if (assembled.replayState !== undefined && !jsonEquals(assembled.replayState, source.replayState)) {
    return violation('the replay state of the cited chunks', 'another', state, 'data.message.source.replayState')
  }
  return state
}

/** The first of `seqs` that is in one of the runs. */
function findIn(runs: ChunkRuns, seqs: readonly number[]): number | undefined {
  if (seqs.length === 0) return undefined
  for (let run = runs; run !== undefined; run = run.previous) {
    const { from, to } = run
    const found = seqs.find(seq => seq >= from && seq <= to)
    if (found !== undefined) return found
  }
  return undefined
}

/** The chunks among `seqs` in order, and where the step starts. */
function cited(list: NonNullable<ChunkList>, seqs: ReadonlySet<number>): { chunks: StreamChunk[]; start: number } {
  const chunks: StreamChunk[] = []
  let link = list
  for (; link.previous !== undefined; link = link.previous) {
    if (link.event.type === 'assistant/chunk' && seqs.has(link.event.seq)) chunks.push(link.event.data.chunk)
  }
  return { chunks: chunks.reverse(), start: link.event.seq }
}
