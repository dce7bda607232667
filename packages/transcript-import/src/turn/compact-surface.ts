import type { ContentBlock, MessageId, MessageSource } from '@dsh/llm'
import type { LogWriter } from '../log/log-writer.js'
import type { Stamp } from './turn-builder.js'

/** A message that takes the place of others. */
export interface Compaction {
  /** What the model sees in their place. The log wants something to be said: where nothing is, a remark stands for it. */
  readonly content: readonly ContentBlock[]
  readonly stamp: Stamp
  readonly source: MessageSource
  /** The first message that stays. Without this and `replaced`, none stays. */
  readonly keepFrom?: MessageId | undefined
  /** The messages that are replaced, where they are not the first ones. */
  readonly replaced?: readonly MessageId[]
}

/**
 * Replaces messages by a summary. A result goes and stays together with its call, so that a range which begins or ends
 * between the two is made smaller. With nothing to replace, the summary goes behind everything.
 */
export function compactSurface(writer: LogWriter, compaction: Compaction): void {
  const { stamp, source } = compaction
  const content = compaction.content.some(saysSomething) ? compaction.content : [withoutSummary]
  const message = { id: stamp.id, role: 'user' as const, source, content }
  const shadowed = shadowedNodes(writer, compaction)
  const [start, end] = [shadowed[0], shadowed.at(-1)]
  if (start === undefined || end === undefined) {
    if (writer.surface.length > 0) {
      writer.note('compaction', 'The summary replaces no message, so it follows those that stay.')
    }
    writer.message('user/message', message, stamp.time)
    return
  }
  writer.message('user/message', message, stamp.time, {
    surfaceOp: { op: 'replace', start, end },
    sourceEventSeqs: shadowed.toSorted((a, b) => a - b),
  })
}

const withoutSummary: ContentBlock = {
  type: 'text',
  text: '(The conversation so far was left out here; the transcript holds no summary of it.)',
}

function saysSomething(block: ContentBlock): boolean {
  return block.type !== 'text' || block.text.trim() !== ''
}

function shadowedNodes(writer: LogWriter, { keepFrom, replaced }: Compaction): readonly number[] {
  const { surface } = writer
  if (replaced !== undefined) return shadowedAmong(writer, replaced)
  if (keepFrom === undefined) return [...surface]
  const first = writer.surfaceSeq(keepFrom)
  if (first === undefined) {
    writer.note('compaction', 'The first message that stays is not among those that the model saw, so none stays.')
    return [...surface]
  }
  return rangeOf(writer, 0, surface.indexOf(first) - 1)
}

function shadowedAmong(writer: LogWriter, replaced: readonly MessageId[]): readonly number[] {
  const seqs = new Set(replaced.map(id => writer.surfaceSeq(id)))
  const from = writer.surface.findIndex(seq => seqs.has(seq))
  const to = writer.surface.findLastIndex(seq => seqs.has(seq))
  if (from < 0) return []
  if (writer.surface.slice(from, to).some(seq => !seqs.has(seq))) {
    writer.note('compaction', 'What the summary replaces lies apart; the messages between are replaced too.')
  }
  return rangeOf(writer, from, to)
}

function rangeOf(writer: LogWriter, from: number, to: number): readonly number[] {
  const { surface } = writer
  let [first, last] = [from, to]
  while (first <= last && writer.isResult(surface[first]!)) first++
  while (last >= first && last + 1 < surface.length && writer.isResult(surface[last + 1]!)) last--
  return surface.slice(first, last + 1)
}
