import { encodeRows, type SessionEvent, type SessionHeader, type SessionView } from '@dsh/session'
import { decodeText } from '../source/text.js'
import type { ExportOptions } from './options.js'
import { Redactor } from './redact.js'
import { RedactedEvents } from './redact-events.js'

/** How many events are encoded at a time. */
const BATCH = 1_000

/** The log as plain JSONL: the header, then an event a line, in the form of a stored log without packed rows. */
export function* jsonlChunks(view: SessionView, { redact }: ExportOptions): Generator<string> {
  const redactor = new Redactor(redact)
  yield `${JSON.stringify({ type: 'session', ...redactHeader(view.header, redactor) })}\n`
  const events = redactor.isActive ? new RedactedEvents(view, redactor) : undefined
  for (let from = 0; from < view.seq; from += BATCH) {
    const batch = view.slice(from, Math.min(from + BATCH, view.seq))
    yield linesOf(events === undefined ? batch : batch.map(event => events.redact(event)))
  }
}

function linesOf(events: readonly SessionEvent[]): string {
  return encodeRows(events, { pack: false })
    .map(({ body }) => `${decodeText(body).text}\n`)
    .join('')
}

function redactHeader(header: SessionHeader, redactor: Redactor): SessionHeader {
  return header.cwd === undefined ? header : { ...header, cwd: redactor.text(header.cwd, { kind: 'path' }) }
}
