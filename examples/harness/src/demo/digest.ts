import { createHash } from 'node:crypto'
import type { SessionView } from '@dsh/session'

/** A digest of the first `events` events of a log, byte for byte. */
export function digestOf(view: SessionView, events: number): string {
  const hash = createHash('sha256')
  for (const event of view.iterate(0, events)) hash.update(`${JSON.stringify(event)}\n`)
  return hash.digest('hex')
}
