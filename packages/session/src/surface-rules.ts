import type { ContentBlock, ToolResultMessage } from '@dsh/llm'
import { deriveEventMessage } from './derive.js'
import type { SessionEvent, SurfaceEventType } from './event.js'
import type { Surface } from './surface.js'
import { rangeLinks } from './surface.js'
import { conflict } from './surface-op.js'

/**
 * Checks a surface event against the surface that it is about to enter.
 * @param eventAt gives the committed event of a seq
 * @throws SURFACE_CONFLICT when a replacement names a range that is not there, leaves a shadowed node out of its
 *   sources, has nothing to say, or rewrites more of a tool result than its content
 */
export function checkSurfaceEvent(
  surface: Surface,
  event: SessionEvent<SurfaceEventType>,
  eventAt: (seq: number) => SessionEvent,
): void {
  const { seq, surfaceOp } = event
  if (surfaceOp === 'append') return
  const links = rangeLinks(surface.range(seq, surfaceOp))
  const sources = new Set(event.sourceEventSeqs)
  const missing = links.find(link => !sources.has(link.seq))
  if (missing !== undefined) {
    throw conflict(seq, 'every shadowed seq among the sources', `${missing.seq} left out`, 'sourceEventSeqs')
  }
  if (saysNothing(deriveEventMessage(event)?.content ?? [])) {
    throw conflict(seq, 'a replacement with content', 'no content, or blank text only', 'data')
  }
  if (event.type === 'tool/result') checkResultRewrite(event, links.length, eventAt(surfaceOp.start))
}

function saysNothing(content: readonly ContentBlock[]): boolean {
  return content.every(block => {
    if (block.type === 'text') return block.text.trim() === ''
    return block.type === 'tool-result' && saysNothing(block.content)
  })
}

function checkResultRewrite(event: SessionEvent<'tool/result'>, shadowed: number, old: SessionEvent): void {
  const { seq } = event
  if (shadowed !== 1 || old.type !== 'tool/result') {
    throw conflict(seq, 'a tool/result replaces exactly one tool/result', `${shadowed} nodes, first a ${old.type}`)
  }
  for (const key of ['turn', 'step'] as const) {
    if (event.data[key] !== old.data[key]) throw rewritten(seq, `data.${key}`, old.data[key], event.data[key])
  }
  const [before, after] = [resultBlock(old.data.message), resultBlock(event.data.message)]
  if (before.toolCallId !== after.toolCallId) {
    throw rewritten(seq, 'data.message.source.callId', before.toolCallId, after.toolCallId)
  }
  if ((before.isError ?? false) !== (after.isError ?? false)) {
    throw rewritten(seq, 'data.message.content[0].isError', before.isError, after.isError)
  }
}

function resultBlock(message: ToolResultMessage) {
  return message.content[0]
}

function rewritten(seq: number, path: string, before: unknown, after: unknown) {
  return conflict(seq, `${String(before)}, as in the rewritten result`, String(after), path)
}
