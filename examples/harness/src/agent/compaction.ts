import { type CompactionRange, compact, contextFill, oldestRange, type Summary } from '@dsh/compaction'
import { assembleChunks, type Message, messageId, messageText, type StreamChunk, userMessage } from '@dsh/llm'
import { openTurn, type Session, type SessionView } from '@dsh/session'
import type { ModelRequest } from '../model/provider.ts'
import type { LoopSetup } from './setup.ts'

type CompactionSetup = Pick<LoopSetup, 'provider' | 'limits' | 'report'>

/** Messages that stay as they are where the turn in progress has to be summarised itself. */
const KEPT = 4

/** What the model that summarises is told to be. */
export const summarySystem =
  'You summarise the beginning of a conversation between a person and an agent, so that the agent can go on without it.'

const summaryPrompt =
  'Summarise the conversation above. Keep, word for word, what the person asked for last and has not got yet. ' +
  'Keep decisions, names of files, results that later work builds on, and what failed. Leave out everything else.'

/**
 * Summarises older history when the last request has nearly filled the context. A summary that cannot be made is told,
 * and the history stays as it is.
 * @throws the signal's reason
 */
export async function compactWhenFull(session: Session, setup: CompactionSetup, signal: AbortSignal): Promise<void> {
  if ((contextFill(session) ?? 0) < setup.limits.contextFill) return
  try {
    await compactHistory(session, setup, signal)
  } catch (error) {
    signal.throwIfAborted()
    setup.report(session, error)
  }
}

/**
 * Summarises the history before the turn in progress, or the beginning of that turn where nothing else is left.
 * @returns whether there was something to summarise
 * @throws what kept the summary from being made; the history is as before then
 */
export async function compactHistory(
  session: Session,
  { provider }: Pick<LoopSetup, 'provider'>,
  signal: AbortSignal,
): Promise<boolean> {
  const turn = session.fold(openTurn)
  const current = turn === undefined ? 0 : session.surface.nodes.filter(seq => seq > turn.startSeq).length
  const range = oldestRange(session, { keepLast: current }) ?? oldestRange(session, { keepLast: KEPT })
  if (range === undefined) return false
  await compact(session, range, () => summarize(summaryRequest(session, range), provider, signal), { signal })
  return true
}

/** The request for the summary of a range: like every request, a pure function of the log. */
export function summaryRequest(view: SessionView, { start, end, messages }: CompactionRange): ModelRequest {
  const { config } = view.requestHeader()!
  const ask = userMessage(summaryPrompt, {
    id: messageId(`${view.id}/summary/${start}-${end}`),
    source: { kind: 'plugin', plugin: 'compaction' },
  })
  return { header: { config, system: summarySystem }, messages: [...messages, ask] as readonly Message[] }
}

async function summarize(
  request: ModelRequest,
  provider: LoopSetup['provider'],
  signal: AbortSignal,
): Promise<Summary> {
  const chunks: StreamChunk[] = []
  for await (const chunk of provider.stream(request, signal)) chunks.push(chunk)
  signal.throwIfAborted()
  const { content, usage, finish } = assembleChunks(chunks)
  if (finish?.kind === 'error') throw new Error(finish.failure.message, { cause: finish.failure })
  return { summary: messageText({ content }), ...(usage !== undefined && { usage }) }
}
