import type { Message } from '@dsh/llm'
import { decodeRow, describeRow, encodeRows, Session, type SessionView } from '@dsh/session'

/** The session as it comes back from storage: encoded, its lines described and decoded again, and restored. */
export function stored(view: SessionView, trusted: boolean): Session {
  const rows = encodeRows(view.slice()).map(({ body }) => describeRow(body))
  for (const row of rows) decodeRow(row)
  return Session.restore(view.header, rows, { trusted })
}

/** Messages without what a provider's list does not carry: ids, sources, replay state. */
export function portable(messages: readonly Message[]): unknown[] {
  return messages.map(({ role, content }) => ({ role, content }))
}
