import { type ContentBlock, type Message, type TokenUsage, userMessage } from '@dsh/llm'
import { type Session, SessionError, type SessionEvent } from '@dsh/session'
import type { CompactionOutcome } from './events.js'
import { type CompactionRange, sameRange } from './range.js'

/** What a model made of a range. */
export interface Summary {
  /** What takes the range's place; a string is one text block. */
  readonly summary: string | readonly ContentBlock[]
  /** What the call cost. */
  readonly usage?: TokenUsage
}

/** How to compact. */
export interface CompactOptions {
  /** Stops the compaction before it replaces anything; an `AbortSignal` fits. */
  readonly signal?: { readonly aborted: boolean; readonly reason?: unknown }
}

/** Sessions with a compaction under way: a second one would work on a surface that the first is about to change. */
const underWay = new WeakSet<Session>()

/**
 * Replaces a range of the surface by a summary of it, in a single append: whenever and however this ends, the surface is
 * the old one or the new one. The session may grow meanwhile. What happened is recorded as `compact/start`,
 * `compact/summary` and `compact/end`.
 * @param range from `oldestRange` or `wholeRange`
 * @param summarize makes the summary, by a model call that it records nowhere else
 * @returns the message that took the range's place
 * @throws SURFACE_CONFLICT when another compaction of the session is under way, when the surface no longer holds the range
 *   as it was, and when the summary is blank; what `summarize`, the signal and the session's `append` throw
 */
export async function compact(
  session: Session,
  range: CompactionRange,
  summarize: (messages: readonly Message[]) => Summary | Promise<Summary>,
  options: CompactOptions = {},
): Promise<SessionEvent<'user/message'>> {
  if (underWay.has(session)) {
    throw new SessionError('SURFACE_CONFLICT', {
      expected: 'one compaction of a session at a time',
      found: 'another under way',
      session: session.id,
    })
  }
  underWay.add(session)
  try {
    return await run(session, sameRange(session, range), summarize, options)
  } finally {
    underWay.delete(session)
  }
}

async function run(
  session: Session,
  range: CompactionRange,
  summarize: (messages: readonly Message[]) => Summary | Promise<Summary>,
  { signal }: CompactOptions,
): Promise<SessionEvent<'user/message'>> {
  const place = { start: range.start, end: range.end }
  const end = (outcome: CompactionOutcome) => session.append('compact/end', { ...place, outcome })
  throwIfAborted(signal)
  session.append('compact/start', place)
  let message: SessionEvent<'user/message'>
  try {
    const { summary, usage } = await summarize(range.messages)
    const replacement = userMessage(summary, { source: { kind: 'plugin', plugin: 'compaction' } })
    const { seq } = session.append('compact/summary', {
      ...place,
      summary: replacement.content,
      ...(usage !== undefined && { usage }),
    })
    throwIfAborted(signal)
    message = session.append('user/message', replacement, {
      surfaceOp: { op: 'replace', ...place },
      sourceEventSeqs: [...sameRange(session, range).seqs, seq].sort((a, b) => a - b),
    })
  } catch (error) {
    // The error that ended the compaction is the one to tell, not that its end could not be recorded.
    try {
      end(signal?.aborted ? { kind: 'aborted' } : failed(error))
    } catch {}
    throw error
  }
  end({ kind: 'replaced', seq: message.seq })
  return message
}

function throwIfAborted(signal: CompactOptions['signal']): void {
  if (signal?.aborted) throw signal.reason ?? new Error('the compaction was aborted')
}

function failed(error: unknown): CompactionOutcome {
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
}
