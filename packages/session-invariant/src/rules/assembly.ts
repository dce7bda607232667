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

/**
 * An answer is what the chunks that it cites add up to. What is not a chunk may be cited beside them; what lies before
 * the step may not. An empty citation says that the stream was empty. State: the chunks of the open step.
 */
export const assembly: InvariantRule<ChunkList> = {
  name: 'assembly',
  code: 'ASSEMBLY_MISMATCH',
  description:
    'An assistant message that cites chunks cites those of its own step and equals their assembly, replay state included; one that cites an empty stream is empty.',
  types: ['step/start', 'step/end', 'turn/end', 'assistant/chunk', 'assistant/message'],
  initial: () => undefined,
  apply(list, event) {
    switch (event.type) {
      case 'step/start':
        return { event, previous: undefined }
      case 'assistant/chunk':
        return list === undefined ? list : { event, previous: list }
      case 'assistant/message':
        return isRewrite(event) ? list : checkMessage(list, event)
      default:
        return undefined
    }
  },
  gap: () => undefined,
}

function checkMessage(list: ChunkList, event: SessionEvent<'assistant/message'>): ChunkList | Violation<ChunkList> {
  const { sourceEventSeqs } = event
  const { source, content } = event.data.message
  if (sourceEventSeqs === undefined) return list
  if (sourceEventSeqs.length === 0) {
    if (content.length === 0) return list
    return violation('no content from a stream cited as empty', 'content', list, 'data.message.content')
  }
  if (list === undefined) return list
  const { chunks, start } = cited(list, new Set(sourceEventSeqs))
  if (chunks.length === 0) return list
  const foreign = sourceEventSeqs.find(seq => seq < start)
  if (foreign !== undefined) {
    return violation(`sources after the step's start at ${start}`, `${foreign}`, list, 'sourceEventSeqs')
  }
  const assembled = assembleChunks(chunks)
  if (!jsonEquals(assembled.content, content)) {
    return violation('the content that the cited chunks add up to', 'other content', list, 'data.message.content')
  }
  if (assembled.replayState !== undefined && !jsonEquals(assembled.replayState, source.replayState)) {
    return violation('the replay state of the cited chunks', 'another', list, 'data.message.source.replayState')
  }
  return list
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
