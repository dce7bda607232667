import type { SessionEvent } from '../event.js'

/** Whether `event` is one of the stream deltas that make up most of a log and that the codec packs into rows. */
export function isDelta(event: SessionEvent): boolean {
  if (event.type !== 'assistant/chunk') return false
  const kind: unknown = event.data?.chunk?.type
  return kind === 'text-delta' || kind === 'reasoning-delta' || kind === 'tool-call-delta'
}
