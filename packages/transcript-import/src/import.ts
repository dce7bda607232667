import { Session, type SessionEvent, type SessionHeader, type SessionId } from '@dsh/session'
import type { ImportOptions } from './import-options.js'
import { streamTranscript } from './import-stream.js'
import type { ImportReport } from './report.js'
import type { ImportStep } from './run-sessions.js'
import type { TranscriptSource } from './source/chunks.js'

/** What a transcript became. */
export interface ImportedTranscript {
  /** One session for each branch, the live one first, then those of sub-agents; in the order of `report.sessions`. */
  readonly sessions: readonly Session[]
  readonly report: ImportReport
}

/**
 * Imports a transcript of another tool into sessions, which are validated as seeds. Nothing is left out: what has no
 * counterpart is in the log as an `import/record` event, what could not be read as an `import/damaged` event. The same
 * source gives the same events each time. An empty source gives no session.
 * @throws FORMAT_UNSUPPORTED when the content is none of the formats, UNSUPPORTED for a JSON document above the limit
 */
export async function importTranscript(
  source: TranscriptSource,
  options: ImportOptions = {},
): Promise<ImportedTranscript> {
  const logs = new Map<SessionId, { header: SessionHeader; inherits: ImportStep['inherits']; events: SessionEvent[] }>()
  const steps = streamTranscript(source, options)
  for (;;) {
    const step = await steps.next()
    if (step.done === true) {
      const sessions = new Map<SessionId, Session>()
      for (const [id, { header, inherits, events }] of logs) {
        const shared = inherits === undefined ? [] : sessions.get(inherits.from)!.slice(0, inherits.boundary + 1)
        sessions.set(id, new Session(id, [...shared, ...events], header))
      }
      return { sessions: step.value.sessions.map(({ id }) => sessions.get(id)!), report: step.value }
    }
    const { header, inherits, events } = step.value
    const log = logs.get(header.id)
    if (log === undefined) logs.set(header.id, { header, inherits, events: [...events] })
    else for (const event of events) log.events.push(event)
  }
}
