import type { ContentBlock, MessageSource } from '@dsh/llm'
import type { LogWriter } from '../log/log-writer.js'
import type { Stamp } from './turn-builder.js'

/** A message that takes the place of others. */
export interface Compaction {
  /** What the model sees in their place; it has to say something. */
  readonly content: readonly ContentBlock[]
  readonly stamp: Stamp
  readonly source: MessageSource
  /** The first message that stays; undefined replaces all of them. */
  readonly keepFrom?: Stamp['id'] | undefined
}

/**
 * Replaces the messages before the first that stays. A result stays only with its call: where one is the first to stay,
 * what made its call stays too. With nothing to replace, the summary goes behind everything.
 */
export function compactSurface(writer: LogWriter, { content, stamp, source, keepFrom }: Compaction): void {
  const { id, time } = stamp
  const message = { id, role: 'user' as const, source, content }
  const shadowed = shadowedNodes(writer, keepFrom)
  const [start, end] = [shadowed[0], shadowed.at(-1)]
  if (start === undefined || end === undefined) {
    if (writer.surface.length > 0) {
      writer.note('compaction', 'The summary replaces no message, so it follows those that stay instead of leading them.')
    }
    writer.message('user/message', message, time)
    return
  }
  writer.message('user/message', message, time, {
    surfaceOp: { op: 'replace', start, end },
    sourceEventSeqs: shadowed.toSorted((a, b) => a - b),
  })
}

function shadowedNodes(writer: LogWriter, keepFrom: Stamp['id'] | undefined): readonly number[] {
  const { surface } = writer
  if (keepFrom === undefined) return [...surface]
  const first = writer.surfaceSeq(keepFrom)
  if (first === undefined) {
    writer.note('compaction', 'The first message that stays is not among those that the model saw, so none stays.')
    return [...surface]
  }
  let at = surface.indexOf(first)
  while (at > 0 && writer.isResult(surface[at]!)) at--
  return surface.slice(0, at)
}
